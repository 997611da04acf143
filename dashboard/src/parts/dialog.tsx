import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { t } from '../text/text.ts'
import { Icon } from './icon.tsx'
import styles from './dialog.module.css'

interface DialogProps {
  title: string
  description?: string
  isOpen: boolean
  onClose: () => void
  /** Without a way to close it other than its own actions. */
  isForced?: boolean
  children: ReactNode
}

/** A dialog above the page. Afterwards the focus returns to the element that opened it. */
export function Dialog({ title, description, isOpen, onClose, isForced, children }: DialogProps) {
  const change = (open: boolean) => {
    if (!open && isForced !== true) onClose()
  }
  return (
    <Base.Root open={isOpen} onOpenChange={change}>
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} />
        <Base.Popup className={styles['popup']}>
          <div className={styles['head']}>
            <Base.Title>{title}</Base.Title>
            {isForced !== true && (
              <Base.Close className={styles['close']} aria-label={t('close')}>
                <Icon name="close" />
              </Base.Close>
            )}
          </div>
          {description !== undefined && <Base.Description>{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
