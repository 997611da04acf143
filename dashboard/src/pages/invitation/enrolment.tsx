import type { Client } from '@sluice/client'
import { isSluiceError } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { acceptInvitation } from '../../data/account.ts'
import { queries } from '../../data/client.ts'
import { roleDoes, roleName } from '../../data/roles.ts'
import { openSession, useSession } from '../../data/session.ts'
import { Button } from '../../parts/button.tsx'
import { CodeField } from '../../parts/code-field.tsx'
import { Facts } from '../../parts/facts.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { NewPasswordField } from '../../parts/new-password-field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { RecoveryCodes } from '../../parts/recovery-codes.tsx'
import { Failure } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { TotpSecret } from '../../parts/totp-secret.tsx'
import { t } from '../../text/text.ts'
import styles from './enrolment.module.css'

type Offer = Awaited<ReturnType<Client['auth']['invitation']>>
type Accepted = Awaited<ReturnType<typeof acceptInvitation>>

/** An invitation and the three steps to accept it; then the recovery codes, once. */
export function Enrolment({ token, offer }: { token: string; offer: Offer }) {
  const [accepted, setAccepted] = useState<Accepted | null>(null)
  const [, navigate] = useLocation()
  const { session } = useSession()
  if (accepted !== null) {
    const enter = () => {
      queries.clear()
      openSession(accepted.session)
      navigate('/', { replace: true })
    }
    return (
      <RecoveryCodes
        codes={accepted.recoveryCodes}
        username={offer.username}
        action={t('invitation.enter')}
        onDone={enter}
      />
    )
  }
  return (
    <>
      <Facts
        facts={[
          [t('invitation.organization'), offer.organization.name],
          [t('invitation.role'), <Role key="role" role={offer.role} />],
          [t('invitation.expiresAt'), <Time key="time" iso={offer.expiresAt} />],
        ]}
      />
      {session !== null && session.username !== offer.username && (
        <Notice tone="info" title={t('invitation.otherSession', { username: session.username })}>
          {t('invitation.otherSessionWhy', { username: offer.username })}
        </Notice>
      )}
      <Steps token={token} offer={offer} onAccepted={setAccepted} />
    </>
  )
}

function Role({ role }: { role: string }) {
  return (
    <>
      <strong>{roleName(role)}</strong>
      <br />
      {roleDoes(role)}
    </>
  )
}

function Steps({
  token,
  offer,
  onAccepted,
}: {
  token: string
  offer: Offer
  onAccepted: (accepted: Accepted) => void
}) {
  const { username } = offer
  const [password, setPassword] = useState('')
  const [totpCode, setCode] = useState('')
  const acceptance = useMutation({
    mutationFn: () => acceptInvitation(username, { token, password, totpCode }),
    onSuccess: onAccepted,
    onError: () => setCode(''),
  })
  const isWrong = isSluiceError(acceptance.error, 'INVALID_TOTP')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!acceptance.isPending) acceptance.mutate()
  }
  return (
    <Form onSubmit={submit} error={acceptance.error}>
      <Step title={t('invitation.password')}>
        <TextField
          label={t('signIn.username')}
          hint={t('invitation.usernameHint')}
          value={username}
          autoComplete="username"
          readOnly
        />
        <NewPasswordField value={password} onChange={setPassword} />
      </Step>
      <Step title={t('invitation.authenticator')}>
        <TotpSecret totpSecret={offer.totpSecret} otpauthUrl={offer.otpauthUrl} />
      </Step>
      <Step title={t('invitation.code')}>
        <CodeField
          value={totpCode}
          onChange={setCode}
          username=""
          error={isWrong ? t('totp.wrongNew') : undefined}
        />
      </Step>
      {acceptance.error !== null && !isWrong && <Failure error={acceptance.error} />}
      <FormActions>
        <Button type="submit" look="primary" isBusy={acceptance.isPending}>
          {t('invitation.accept')}
        </Button>
      </FormActions>
    </Form>
  )
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles['step']}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
