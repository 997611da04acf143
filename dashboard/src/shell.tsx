import { Dialog as Base } from '@base-ui/react/dialog'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useLive } from './data/live.ts'
import { useProfile } from './data/profile.ts'
import { Banners } from './banners.tsx'
import { Icon } from './parts/icon.tsx'
import { Skeleton } from './parts/states.tsx'
import { MENU } from './routes.ts'
import styles from './shell.module.css'
import { t } from './text/text.ts'

/** Loaded after the page: a menu is a tenth of all code. */
const Account = lazy(async () => ({ default: (await import('./account-menu.tsx')).Account }))

/** The frame of every page: menu, organization, person, and what concerns the whole page. */
export function Shell({ children }: { children: ReactNode }) {
  const { data: profile } = useProfile()
  useLive(profile !== undefined)
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#content">
        {t('skip')}
      </a>
      <header className={styles['top']}>
        <NarrowMenu />
        <Link href="/" className={styles['brand']}>
          {t('brand')}
        </Link>
        <span className={styles['org']}>{profile?.org.name}</span>
        <Suspense fallback={null}>
          <Account />
        </Suspense>
      </header>
      <Side />
      <main id="content" className={styles['main']} tabIndex={-1}>
        <Banners />
        <Suspense fallback={<Skeleton />}>{children}</Suspense>
      </main>
    </div>
  )
}

/** The menu beside the page; the entry of the page is in view. */
function Side() {
  const nav = useRef<HTMLElement>(null)
  const [path] = useLocation()
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  return (
    <nav ref={nav} className={styles['side']} aria-label={t('menu.label')}>
      <Menu />
    </nav>
  )
}

function Menu() {
  const [path] = useLocation()
  return MENU.map(({ title, routes }) => (
    <div key={title} className={styles['group']}>
      <h2>{t(title)}</h2>
      <ul>
        {routes.map((route) => {
          const isHere = route.path === '/' ? path === '/' : path.startsWith(route.path)
          return (
            <li key={route.path}>
              <Link href={route.path} aria-current={isHere ? 'page' : undefined}>
                <Icon name={route.icon} />
                {t(route.title)}
                {route.Badge && <route.Badge />}
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  ))
}

/** The menu as a dialog, where the page is too narrow for it. */
function NarrowMenu() {
  const [isOpen, setOpen] = useState(false)
  const [path] = useLocation()
  useEffect(() => setOpen(false), [path])
  return (
    <Base.Root open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger className={styles['menuButton']} aria-label={t('menu.open')}>
        <Icon name="menu" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} />
        <Base.Popup className={styles['drawer']}>
          <div className={styles['drawerHead']}>
            <Base.Title className={styles['brand']}>{t('menu.label')}</Base.Title>
            <Base.Close className={styles['menuButton']} aria-label={t('close')}>
              <Icon name="close" />
            </Base.Close>
          </div>
          <nav aria-label={t('menu.label')}>
            <Menu />
          </nav>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
