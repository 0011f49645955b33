import 'katex/dist/katex.min.css'
export { default as rehypeKatex } from 'rehype-katex'
