import type { TFunction } from 'i18next'
import type { Folder } from '../../contract/library.ts'

/** The name of a folder as it is shown and read out: that of the sample library is a word of the interface. */
export function folderName({ sample, name }: Pick<Folder, 'sample' | 'name'>, t: TFunction): string {
  return sample ? t('library.sampleName') : name
}
