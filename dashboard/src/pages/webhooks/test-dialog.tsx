import type { EndpointTest, WebhookEndpoint } from '@sluice/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { client, queries } from '../../data/client.ts'
import { hostOf } from '../../data/endpoints.ts'
import { refreshEndpoints } from '../../data/webhooks.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormActions } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Setting } from '../../parts/setting.tsx'
import { Failure } from '../../parts/states.tsx'
import { t } from '../../text/text.ts'
import styles from './webhooks.module.css'

interface TestDialogProps {
  endpoint: Pick<WebhookEndpoint, 'id' | 'url'>
  /** The reason to test, above the button. */
  text: string
  onClose: () => void
}

/** The test of an endpoint, with its button. */
export function TestSetting({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Setting text={t('webhooks.testText')}>
        <Button onClick={() => setOpen(true)}>{t('webhooks.test')}</Button>
      </Setting>
      {isOpen && (
        <TestDialog
          endpoint={endpoint}
          text={t('webhooks.testText')}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** Sends a signed test event and shows how the receiver answered. */
export function TestDialog({ endpoint: { id, url }, text, onClose }: TestDialogProps) {
  const test = useMutation({
    mutationFn: () => client.webhookEndpoints.test(id),
    onSettled: () => {
      refreshEndpoints()
      void queries.invalidateQueries({ queryKey: ['events'] })
    },
  })
  const isFirst = test.data === undefined
  return (
    <Dialog
      title={t('webhooks.testTitle', { host: hostOf(url) })}
      description={text}
      isOpen
      onClose={onClose}
    >
      <div role="status" className={styles['stack']}>
        {test.isPending && t('webhooks.testRunning')}
        {test.data !== undefined && !test.isPending && <Result test={test.data} />}
      </div>
      {test.error !== null && <Failure error={test.error} />}
      <FormActions>
        <Button onClick={onClose}>{t('close')}</Button>
        <Button look="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
          {isFirst ? t('webhooks.testSend') : t('webhooks.testAgain')}
        </Button>
      </FormActions>
    </Dialog>
  )
}

function Result({ test }: { test: EndpointTest }) {
  const { eventId, isAccepted, status, durationMs, failedStep, error } = test
  return (
    <>
      <Notice
        tone={isAccepted ? 'success' : 'danger'}
        title={t(isAccepted ? 'webhooks.testAccepted' : 'webhooks.testRefused')}
      >
        {failedStep !== null && t(`deliverySteps.${failedStep}.why`)}
      </Notice>
      <Facts
        facts={[
          [t('webhooks.testStatus'), status ?? t('webhooks.testNoStatus')],
          [t('webhooks.testDuration'), t('webhooks.milliseconds', { count: durationMs })],
          failedStep === null
            ? null
            : [t('webhooks.testStep'), t(`deliverySteps.${failedStep}.name`)],
          error === '' ? null : [t('webhooks.testError'), <code key="error">{error}</code>],
          [
            t('webhooks.testEvent'),
            <Link key="event" href={`/events/${eventId}`}>
              {t('webhooks.testOpen')}
            </Link>,
          ],
        ]}
      />
    </>
  )
}
