import { Link } from 'wouter'
import { Card } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { t } from '../../text/text.ts'

const KINDS = ['session', 'apiKey', 'signingSecret'] as const

/** A table of the credentials: their owners, their uses and their limits. */
export function Credentials() {
  return (
    <Card title={t('credentials.title')} isFlush>
      <Table
        caption={t('credentials.title')}
        rows={KINDS}
        keyOf={(kind) => kind}
        columns={[
          { header: t('credentials.credential'), cell: (kind) => t(`credentials.${kind}.name`) },
          { header: t('credentials.of'), cell: (kind) => t(`credentials.${kind}.of`) },
          { header: t('credentials.sent'), cell: (kind) => t(`credentials.${kind}.sent`) },
          { header: t('credentials.for'), cell: (kind) => t(`credentials.${kind}.for`) },
          {
            header: t('credentials.place'),
            cell: (kind) => <Link href={PLACES[kind]}>{t(`credentials.${kind}.place`)}</Link>,
          },
        ]}
      />
    </Card>
  )
}

const PLACES: Readonly<Record<(typeof KINDS)[number], string>> = {
  session: '/account',
  apiKey: '/api-keys',
  signingSecret: '/webhooks',
}
