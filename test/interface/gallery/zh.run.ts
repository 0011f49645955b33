import { wholeGallery } from './whole.ts'

wholeGallery('zh')
