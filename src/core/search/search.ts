export { embeddedText } from './embedded-text.ts'
export { languageOf } from './language.ts'
export { foldText, makeTerms } from './terms.ts'
