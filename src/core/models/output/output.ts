/** What small models really emit, understood: the one door of this folder. */
export { findTool, readArguments } from './call-shape.ts'
export { readOutput } from './read-output.ts'
export { withTextProtocol } from './text-protocol.ts'
