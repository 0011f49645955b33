import { wholeGallery } from './whole.ts'

wholeGallery('en')
