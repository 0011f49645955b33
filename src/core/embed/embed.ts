export { loadTokenizer, type Tokenizer } from './tokenizer.ts'
