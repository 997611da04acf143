import { useEffect, useState, useSyncExternalStore } from 'react'
import { useSession } from './data/session.ts'
import { signOut } from './data/sign-out.ts'
import { Dialog } from './parts/dialog.tsx'
import { Button } from './parts/button.tsx'
import { Notice } from './parts/notice.tsx'
import styles from './banners.module.css'
import { SignInForm } from './pages/sign-in/sign-in-form.tsx'
import { t } from './text/text.ts'

const WARN_MS = 5 * 60_000
const CHECK_MS = 15_000

/** Messages for every page: no connection, the end of the session. */
export function Banners() {
  const { session, isExpired } = useSession()
  const now = useNow(CHECK_MS)
  const isOnline = useOnline()
  const left = (session?.expiresAt ?? Number.POSITIVE_INFINITY) - now
  const isOver = isExpired || left <= 0
  const username = session?.username ?? ''
  return (
    <div className={styles['banners']} role="status">
      {!isOnline && <Notice tone="warning" title={t('banner.offline')} />}
      {!isOver && left <= WARN_MS && <Ending minutes={Math.ceil(left / 60_000)} />}
      <Dialog
        title={t('banner.signInAgain')}
        description={t('banner.signInAgainWhy')}
        isOpen={isOver && session !== null}
        onClose={() => undefined}
        isForced
      >
        <SignInForm username={username} />
        <Button look="quiet" onClick={() => void signOut()}>
          {t('account.signOut')}
        </Button>
      </Dialog>
    </div>
  )
}

/** A person may sign in again before the session ends, without leaving the page. */
function Ending({ minutes }: { minutes: number }) {
  const { session } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Notice tone="warning" title={t('banner.ending', { count: minutes })}>
        <Button onClick={() => setOpen(true)}>{t('banner.continue')}</Button>
      </Notice>
      <Dialog title={t('banner.continue')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <SignInForm username={session?.username ?? ''} />
      </Dialog>
    </>
  )
}

function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

function useOnline(): boolean {
  return useSyncExternalStore(watchOnline, () => navigator.onLine)
}

function watchOnline(listen: () => void): () => void {
  addEventListener('online', listen)
  addEventListener('offline', listen)
  return () => {
    removeEventListener('online', listen)
    removeEventListener('offline', listen)
  }
}
