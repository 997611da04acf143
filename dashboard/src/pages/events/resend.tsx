import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../../data/client.ts'
import type { WholeEvent } from '../../data/event-facts.ts'
import { refreshEvents } from '../../data/events.ts'
import { hostOf } from '../../data/endpoints.ts'
import { useEndpoints } from '../../data/webhooks.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Form, FormActions } from '../../parts/form.tsx'
import { Failure } from '../../parts/states.tsx'
import { say } from '../../parts/toast.tsx'
import { t } from '../../text/text.ts'

/** Sends an event again, to the default endpoint or another one. */
export function Resend({ event: { id }, onClose }: { event: WholeEvent; onClose: () => void }) {
  const { data: endpoints = [] } = useEndpoints()
  const targets = endpoints.filter(({ url }) => url !== '')
  const [chosen, setChosen] = useState('')
  const target = targets.find((one) => one.id === chosen) ?? targets[0]
  const host = hostOf(target?.url ?? '')
  const resend = useMutation({
    mutationFn: (endpointId: string) => client.events.redeliver(id, { endpointId }),
    onSuccess: () => {
      refreshEvents()
      say(t('events.resent', { host }))
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (target !== undefined) resend.mutate(target.id)
  }
  return (
    <Dialog
      title={t('events.resendTitle')}
      description={t('events.resendWhy')}
      isOpen
      onClose={onClose}
    >
      <Form onSubmit={submit} error={resend.error}>
        {target === undefined ? (
          <p>{t('events.noEndpoint')}</p>
        ) : (
          <SelectField
            label={t('events.resendTo')}
            value={target.id}
            onChange={(event) => setChosen(event.target.value)}
            options={targets.map(({ id: one, url, isDefault }) => [
              one,
              isDefault ? `${url} (${t('webhooks.default')})` : url,
            ])}
          />
        )}
        {resend.error !== null && <Failure error={resend.error} />}
        <FormActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          {target !== undefined && (
            <Button type="submit" look="primary" isBusy={resend.isPending}>
              {t('events.resendAction', { host })}
            </Button>
          )}
        </FormActions>
      </Form>
    </Dialog>
  )
}
