import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../parts/dialog.tsx'
import { Switch } from '../parts/switch.tsx'
import { screens } from '../state/route.ts'
import { setSingleKeys, singleKeys } from './keys.ts'

const isMac = /mac/i.test(navigator.platform)
const command = isMac ? '⌘' : 'Ctrl'
const option = isMac ? '⌥' : 'Alt'

/** Keys that are pressed together; several such, of which each does it. */
const groups = {
  everywhere: [
    ['palette', [[command, 'K']]],
    ['sheet', [['?'], [command, '/']]],
    ['composer', [['/']]],
    ['newChat', [[command, isMac ? '⇧' : 'Shift', 'O']]],
    ['undo', [[command, 'Z']]],
    ['screens', [[option, `1–${screens.length}`]]],
    ['close', [['Esc']]],
  ],
  writing: [
    ['send', [['Enter']]],
    ['line', [['Shift', 'Enter']]],
    ['mention', [['@']]],
  ],
} as const

/** Every key that does something, in one sheet. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [single, setSingle] = useState(singleKeys)
  return (
    <Dialog title={t('common.shortcuts')} onClose={onClose}>
      {(['everywhere', 'writing'] as const).map((group) => (
        <section key={group} className="mb-4">
          <h3 className="mb-1 text-small text-ink-2">{t(`common.shortcut.${group}`)}</h3>
          <dl className="divide-y divide-line border-y border-line text-ui">
            {groups[group].map(([name, ways]) => (
              <div key={name} className="flex items-center justify-between gap-4 py-1.5">
                <dt className="min-w-0">{t(`common.shortcut.${name}`)}</dt>
                <dd className="flex flex-none items-center gap-1.5 text-small text-ink-2">
                  {ways.map((keys, way) => (
                    <Fragment key={keys.join('+')}>
                      {way > 0 && <span>{t('common.shortcut.or')}</span>}
                      <span className="flex gap-1">
                        {keys.map((key) => (
                          <kbd key={key} className="tag min-w-5 justify-center bg-sheet font-sans">
                            {key}
                          </kbd>
                        ))}
                      </span>
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Switch
        label={t('common.shortcut.single')}
        detail={t('common.shortcut.singleText')}
        checked={single}
        onChange={(on) => {
          setSingleKeys(on)
          setSingle(on)
        }}
      />
    </Dialog>
  )
}
