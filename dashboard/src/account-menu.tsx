import { Menu } from '@base-ui/react/menu'
import { useState } from 'react'
import { useLocation } from 'wouter'
import styles from './account-menu.module.css'
import menu from './parts/menu.module.css'
import { hideBalances, useAreBalancesHidden } from './data/hidden-balances.ts'
import { useProfile } from './data/profile.ts'
import { signOut } from './data/sign-out.ts'
import { applyTheme, readTheme, type Theme, THEMES } from './data/theme.ts'
import { Icon } from './parts/icon.tsx'
import { t } from './text/text.ts'

const ITEM = `${menu['item']} ${styles['item']}`

/** The person: own settings, colours, signing out. */
export function Account() {
  const { data: profile } = useProfile()
  const [, navigate] = useLocation()
  const [theme, setTheme] = useState(readTheme)
  const areHidden = useAreBalancesHidden()
  const choose = (next: Theme) => {
    applyTheme(next)
    setTheme(next)
  }
  return (
    <Menu.Root>
      <Menu.Trigger className={styles['trigger']}>
        <Icon name="account" />
        <span>{profile?.username ?? t('account.title')}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={menu['place']} align="end" sideOffset={4}>
          <Menu.Popup className={menu['popup']}>
            <Menu.Item className={ITEM} onClick={() => navigate('/account')}>
              {t('account.title')}
            </Menu.Item>
            <Menu.Separator className={menu['line']} />
            <Menu.RadioGroup value={theme} onValueChange={choose}>
              {THEMES.map((one) => (
                <Menu.RadioItem key={one} value={one} className={ITEM}>
                  {t(`theme.${one}`)}
                  <Menu.RadioItemIndicator>
                    <Icon name="check" />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className={menu['line']} />
            <Menu.CheckboxItem checked={areHidden} onCheckedChange={hideBalances} className={ITEM}>
              {t('account.hideBalances')}
              <Menu.CheckboxItemIndicator>
                <Icon name="check" />
              </Menu.CheckboxItemIndicator>
            </Menu.CheckboxItem>
            <Menu.Separator className={menu['line']} />
            <Menu.Item className={ITEM} onClick={() => void signOut().then(() => navigate('/'))}>
              {t('account.signOut')}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
