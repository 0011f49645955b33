export { embeddedText } from '../store/store.ts'
