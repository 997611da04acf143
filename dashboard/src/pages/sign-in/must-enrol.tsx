import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signOut } from '../../data/sign-out.ts'
import { Banners } from '../../banners.tsx'
import { client } from '../../data/client.ts'
import { useSession } from '../../data/session.ts'
import { ConfirmTotp } from '../account/confirm-totp.tsx'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Failure, Skeleton } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import { SignInForm } from './sign-in-form.tsx'
import { Welcome } from './welcome.tsx'

/** After a recovery code: a new TOTP secret comes first; the session may do nothing else. */
export function MustEnrol() {
  const { session } = useSession()
  const [isDone, setDone] = useState(false)
  const username = session?.username ?? ''
  if (isDone)
    return (
      <Welcome title={t('mustEnrol.doneTitle')}>
        <Notice tone="success" title={t('mustEnrol.done')}>
          {t('mustEnrol.doneWhy')}
        </Notice>
        <SignInForm username={username} />
      </Welcome>
    )
  return (
    <Welcome title={t('mustEnrol.title')} isWide>
      <Banners />
      <p>{t('mustEnrol.lead')}</p>
      {session?.recoveryCodesLeft !== undefined && (
        <Notice tone="info" title={t('mustEnrol.left', { count: session.recoveryCodesLeft })}>
          {t('mustEnrol.leftWhy')}
        </Notice>
      )}
      <Offer onDone={() => setDone(true)} />
      <div>
        <Button look="quiet" onClick={() => void signOut()}>
          {t('account.signOut')}
        </Button>
      </div>
    </Welcome>
  )
}

function Offer({ onDone }: { onDone: () => void }) {
  const offer = useQuery({
    queryKey: ['totpOffer'],
    queryFn: ({ signal }) => client.auth.offerTotp({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (offer.data !== undefined) return <ConfirmTotp offer={offer.data} onDone={onDone} />
  return offer.error === null ? (
    <Skeleton />
  ) : (
    <Failure error={offer.error} onRetry={() => void offer.refetch()} />
  )
}
