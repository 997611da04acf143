import { Toast } from '@base-ui/react/toast'
import { t } from '../text/text.ts'
import { Icon } from './icon.tsx'
import styles from './toast.module.css'

const toasts = Toast.createToastManager()

/** Announces a result at the edge of the page, for people who see it and for screen readers. */
export function say(message: string, tone: 'info' | 'danger' = 'info'): void {
  toasts.add({ title: message, type: tone, priority: tone === 'danger' ? 'high' : 'low' })
}

/** The place of the announcements; the page has one. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Toast.Viewport className={styles['place']}>
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Shown() {
  const { toasts: shown } = Toast.useToastManager()
  return shown.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={styles['toast']}
      aria-label={t('announcement')}
    >
      <Toast.Content className={styles['content']}>
        <Toast.Title render={<p />} />
        <Toast.Close className={styles['close']} aria-label={t('close')}>
          <Icon name="close" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
