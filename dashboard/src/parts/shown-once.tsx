import { type ReactNode, useState } from 'react'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { CopySecret } from './copy.tsx'
import { Dialog } from './dialog.tsx'
import { CheckField } from './field.tsx'
import { FormActions } from './form.tsx'
import { Notice } from './notice.tsx'
import styles from './shown-once.module.css'

interface ShownOnceProps {
  title: string
  /** The noun of the value with its article: `the API key`. */
  what: string
  value: string
  /** Why it is shown only once; by default, that the service keeps a hash. */
  why?: string
  /** The next step with the value. */
  children: ReactNode
  /** The sentence that the person confirms before the dialog closes. */
  confirm: string
  onDone: () => void
}

/** A secret that the service shows only now. The dialog stays until the person has it. */
export function ShownOnce(props: ShownOnceProps) {
  const { title, what, value, why = t('shownOnce.why'), children, confirm, onDone } = props
  const [isStored, setStored] = useState(false)
  return (
    <Dialog title={title} isOpen onClose={onDone} isForced>
      <Notice tone="warning" title={t('shownOnce.title', { what })}>
        {why}
      </Notice>
      <div>{children}</div>
      <div className={styles['row']}>
        <code className={styles['value']}>{value}</code>
        <CopySecret value={value} what={what} />
      </div>
      <CheckField
        label={confirm}
        checked={isStored}
        onChange={(event) => setStored(event.target.checked)}
      />
      <FormActions>
        <Button look="primary" disabled={!isStored} onClick={onDone}>
          {t('done')}
        </Button>
      </FormActions>
    </Dialog>
  )
}
