import type { Invited } from '@sluice/client'
import { useRouter } from 'wouter'
import { formatTime } from '../../data/times.ts'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { t } from '../../text/text.ts'

/** The link of a new invitation. The token is in its fragment, which reaches no log. */
export function InvitationLink({ invited, onDone }: { invited: Invited; onDone: () => void }) {
  const { base } = useRouter()
  const { user, invitation } = invited
  return (
    <ShownOnce
      title={t('people.linkTitle', { username: user.username })}
      what={t('people.link')}
      value={`${window.location.origin}${base}/invitation#token=${invitation.token}`}
      confirm={t('people.handedOver')}
      onDone={onDone}
    >
      <p>{t('people.handOver', { time: formatTime(invitation.expiresAt) })}</p>
    </ShownOnce>
  )
}
