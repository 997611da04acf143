import { signOut } from '../../data/sign-out.ts'
import { useProfile } from '../../data/profile.ts'
import { PERMISSIONS, type PermissionName, roleDoes, roleName } from '../../data/roles.ts'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Short } from '../../parts/address.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Card, Columns, Page } from '../../parts/page.tsx'
import { Failure, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { Authenticator } from './authenticator.tsx'
import styles from './account.module.css'
import { Password } from './password.tsx'
import { OwnPasskeys } from './passkeys.tsx'
import { OwnRecoveryCodes } from './own-recovery-codes.tsx'
import { Sessions } from './sessions.tsx'

/** The person: rights, credentials and open sessions. */
export function MyAccount() {
  const profile = useProfile()
  const { data, error } = profile
  return (
    <Page
      title={t('account.title')}
      lead={t('account.lead')}
      actions={<Button onClick={() => void signOut()}>{t('account.signOut')}</Button>}
    >
      {data === undefined && error === null && <Skeleton />}
      {error !== null && <Failure error={error} onRetry={() => void profile.refetch()} />}
      {data !== undefined && (
        <>
          <Columns>
            <Card title={t('account.profile')}>
              <Facts
                facts={[
                  [t('account.username'), data.username],
                  [t('account.role'), <RoleOf key="role" role={data.role} />],
                  [t('account.organization'), data.org.name],
                  [t('account.id'), <Short key="id" value={data.id} what={t('account.thisId')} />],
                ]}
              />
            </Card>
            <Card title={t('account.permissions')}>
              <Permissions held={data.permissions} />
            </Card>
          </Columns>
          <Card title={t('account.signingIn')}>
            <Password />
            <Authenticator />
            <OwnRecoveryCodes username={data.username} />
          </Card>
          {data.permissions.includes('approveWithdrawals') && <OwnPasskeys />}
          <Sessions />
        </>
      )}
    </Page>
  )
}

function RoleOf({ role }: { role: string }) {
  return (
    <>
      <strong>{roleName(role)}</strong>
      <br />
      {roleDoes(role)}
    </>
  )
}

function Permissions({ held }: { held: readonly string[] }) {
  const row = (name: PermissionName) => {
    const has = held.includes(name)
    return (
      <li key={name}>
        <Chip tone={has ? 'success' : 'neutral'} icon={has ? 'check' : 'close'}>
          {has ? t('account.may') : t('account.mayNot')}
        </Chip>
        {t(`permissions.${name}`)}
      </li>
    )
  }
  return <ul className={styles['permissions']}>{PERMISSIONS.map(row)}</ul>
}
