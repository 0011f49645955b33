/** The document is nested too deeply, or larger than what is read. */
export class XmlProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'XmlProblem'
  }
}
