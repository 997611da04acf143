import type { Passkey } from '@sluice/client'
import { useState } from 'react'
import { client, queries } from '../../data/client.ts'
import { isTheirSite, type Passkeys, usePasskeys } from '../../data/passkeys.ts'
import { Button } from '../../parts/button.tsx'
import { CodeDialog } from '../../parts/code-dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { Empty, Failure, Skeleton } from '../../parts/states.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { AddPasskey } from './add-passkey.tsx'

/** The passkeys of the person, with which withdrawals are approved. */
export function OwnPasskeys() {
  const { data, error, refetch } = usePasskeys()
  return (
    <Card
      title={t('passkeys.title')}
      actions={data !== undefined && isTheirSite(data) && <AddPasskey />}
    >
      <p>{t('passkeys.why')}</p>
      {data === undefined && error === null && <Skeleton lines={2} />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Found {...data} />}
    </Card>
  )
}

function Found({ passkeys, origin }: Passkeys) {
  return (
    <>
      {origin === null && (
        <Notice tone="neutral" title={t('passkeys.notSetUp')}>
          <p>{t('passkeys.notSetUpWhy')}</p>
        </Notice>
      )}
      {origin !== null && !isTheirSite({ passkeys, origin }) && (
        <Notice tone="neutral" title={t('passkeys.elsewhere')}>
          <p>{t('passkeys.elsewhereWhy', { origin })}</p>
        </Notice>
      )}
      {passkeys.length === 0 ? (
        <Empty title={t('passkeys.empty')} />
      ) : (
        <Table
          caption={t('passkeys.title')}
          columns={COLUMNS}
          rows={passkeys}
          keyOf={({ id }) => id}
        />
      )}
    </>
  )
}

const COLUMNS: readonly Column<Passkey>[] = [
  { header: t('passkeys.name'), cell: ({ name }) => <bdi>{name}</bdi> },
  { header: t('passkeys.added'), cell: ({ createdAt }) => <Time iso={createdAt} /> },
  {
    header: t('passkeys.lastUsed'),
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? t('passkeys.never') : <Time iso={lastUsedAt} />,
  },
  { header: t('passkeys.action'), cell: (passkey) => <Remove passkey={passkey} /> },
]

function Remove({ passkey: { id, name } }: { passkey: Passkey }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={t('passkeys.removeOne', { name })}>
        {t('passkeys.remove')}
      </Button>
      <CodeDialog
        title={t('passkeys.removeTitle', { name })}
        description={t('passkeys.removeWhy')}
        action={t('passkeys.removeOne', { name })}
        isDangerous
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        perform={(totpCode) => client.auth.removePasskey(id, { totpCode })}
        onDone={() => void queries.invalidateQueries({ queryKey: ['passkeys'] })}
        done={t('passkeys.removed')}
      />
    </>
  )
}
