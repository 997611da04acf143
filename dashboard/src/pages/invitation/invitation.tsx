import { isSluiceError } from '@sluice/client'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { tokenIn } from '../../data/invitation-token.ts'
import { openClient } from '../../data/client.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Failure, messageOf, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { Welcome } from '../sign-in/welcome.tsx'
import { Enrolment } from './enrolment.tsx'

/**
 * An invited person sets password and authenticator here. The token is in the fragment of the
 * address, which browsers do not send to a server, so it reaches no log.
 */
export function Invitation() {
  const inAddress = tokenIn(useSyncExternalStore(watchFragment, () => window.location.hash))
  const [pasted, setPasted] = useState('')
  const token = pasted === '' ? inAddress : pasted
  return (
    <Welcome title={t('invitation.title')} isWide>
      {token === '' ? (
        <PasteForm onToken={setPasted} />
      ) : (
        <Offer key={token} token={token} onToken={setPasted} />
      )}
    </Welcome>
  )
}

function Offer({ token, onToken }: { token: string; onToken: (token: string) => void }) {
  const offer = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => openClient.auth.invitation(token, { signal, retries: 0 }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (offer.data !== undefined) return <Enrolment token={token} offer={offer.data} />
  if (offer.error === null) return <Skeleton />
  if (!isSluiceError(offer.error, 'INVALID_INVITATION'))
    return <Failure error={offer.error} onRetry={() => void offer.refetch()} />
  return (
    <>
      <div role="alert">
        <Notice tone="danger" title={messageOf(offer.error)}>
          {t('invitation.invalidWhy')}
        </Notice>
      </div>
      <PasteForm onToken={onToken} />
    </>
  )
}

function PasteForm({ onToken }: { onToken: (token: string) => void }) {
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const token = tokenIn(typed)
    setWrong(token === '')
    if (token !== '') onToken(token)
  }
  return (
    <>
      <Form onSubmit={submit} error={isWrong || undefined}>
        <TextField
          label={t('invitation.link')}
          hint={t('invitation.linkHint')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          error={isWrong ? t('invitation.noToken') : undefined}
          required
        />
        <FormActions>
          <Button type="submit" look="primary">
            {t('invitation.open')}
          </Button>
        </FormActions>
      </Form>
      <p>
        {t('invitation.enrolled')} <Link href="/">{t('signIn.title')}</Link>
      </p>
    </>
  )
}

function watchFragment(listen: () => void): () => void {
  addEventListener('hashchange', listen)
  return () => removeEventListener('hashchange', listen)
}
