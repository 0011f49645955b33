import { agentStates, askStates, chatStates } from './states-ask.ts'
import { libraryStates, modelStates } from './states-library.ts'
import { readerStates } from './states-reader.ts'
import { evaluateStates, frameStates, memoryStates, settingsStates } from './states-rest.ts'

/** Every screen in its empty, busy, full and broken state. */
export const galleryStates = [
  ...askStates,
  ...agentStates,
  ...chatStates,
  ...readerStates,
  ...libraryStates,
  ...modelStates,
  ...memoryStates,
  ...evaluateStates,
  ...settingsStates,
  ...frameStates,
]
