import { useState } from 'react'
import { client, queries } from '../../data/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { say } from '../../parts/toast.tsx'
import { Setting } from '../../parts/setting.tsx'
import { t } from '../../text/text.ts'
import { ConfirmTotp } from './confirm-totp.tsx'

type Offer = Awaited<ReturnType<typeof client.auth.offerTotp>>

/** Replaces the person's TOTP secret: a code of the present one, then one of the new one. */
export function Authenticator() {
  const [isOpen, setOpen] = useState(false)
  const [offer, setOffer] = useState<Offer | null>(null)
  const close = () => setOffer(null)
  const finish = () => {
    close()
    say(t('account.totpChanged'))
    void queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  return (
    <Setting title={t('account.totp')} text={t('account.totpText')}>
      <Button onClick={() => setOpen(true)}>{t('account.changeTotp')}</Button>
      <CodeDialog
        title={t('account.changeTotp')}
        description={t('account.changeTotpWhy')}
        action={t('account.showTotp')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        perform={(totpCode) => client.auth.offerTotp({ totpCode })}
        onDone={setOffer}
      />
      <Dialog
        title={t('account.changeTotp')}
        description={t('account.confirmTotpWhy')}
        isOpen={offer !== null}
        onClose={close}
      >
        {offer !== null && (
          <ConfirmTotp offer={offer} onDone={finish}>
            <Button onClick={close}>{t('cancel')}</Button>
          </ConfirmTotp>
        )}
      </Dialog>
    </Setting>
  )
}
