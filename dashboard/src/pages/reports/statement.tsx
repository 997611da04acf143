import { Link } from 'wouter'
import { client } from '../../data/client.ts'
import { useStatement } from '../../data/money.ts'
import { timesOfMonth, monthName } from '../../data/months.ts'
import { closingOf, isBlank, type ReportFilter, type StatementLine } from '../../data/reports.ts'
import { Amount } from '../../parts/amount.tsx'
import { Balance } from '../../parts/balance.tsx'
import { ChainName } from '../../parts/chain-name.tsx'
import { Chip } from '../../parts/chip.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Card } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Sum } from '../../parts/sum.tsx'
import { t } from '../../text/text.ts'
import styles from './reports.module.css'

/** How the amounts of a line enter its closing balance. */
const FLOWS = [
  ['deposits', '+'],
  ['fundings', '+'],
  ['withdrawals', '−'],
  ['fees', '−'],
  ['corrections', '±'],
] as const

/** The statement of a month: each line adds up from the opening to the closing balance. */
export function Statement({ report }: { report: ReportFilter }) {
  const query = useStatement(report)
  const month = monthName(report.month)
  return (
    <Card
      title={t('reports.statement', { month })}
      isFlush
      actions={
        <ExportButton
          fileName={`statement-${report.month}`}
          text={t('reports.csv')}
          start={(format) => client.reports.exportStatement(format, report)}
        />
      }
    >
      <Loaded query={query} lines={10}>
        {({ isComplete, statement }) => {
          const lines = statement.filter((line) => !isBlank(line))
          if (lines.length === 0)
            return <Empty title={t('reports.empty', { month })}>{t('reports.emptyWhy')}</Empty>
          return (
            <>
              <p className={styles['state']}>
                {t(isComplete ? 'reports.complete' : 'reports.soFar')}
              </p>
              <div className={styles['lines']}>
                {lines.map((line) => (
                  <Line key={line.tokenId} line={line} month={report.month} />
                ))}
              </div>
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

function Line({ line, month }: { line: StatementLine; month: string }) {
  const { chainId, tokenId, Token: token, opening, closing } = line
  const addsUp = closingOf(line) === closing
  const { from, to } = timesOfMonth(month)
  return (
    <section className={styles['line']}>
      <div className={styles['head']}>
        <h3>
          {token.symbol}{' '}
          <span className={styles['chain']}>
            <ChainName chainId={chainId} />
          </span>
        </h3>
        <Chip tone={addsUp ? 'success' : 'danger'}>
          {t(addsUp ? 'reports.addsUp' : 'reports.differs')}
        </Chip>
      </div>
      <Sum
        title={token.name}
        lines={[
          {
            name: t('reports.opening'),
            hint: t('reports.hint.opening'),
            amount: <Balance baseUnits={opening} unit={token} />,
            isZero: opening === '0',
          },
          ...FLOWS.map(([name, sign]) => ({
            name: t(`reports.${name}`),
            hint: t(`reports.hint.${name}`),
            sign,
            amount: <Amount baseUnits={line[name]} unit={token} />,
            isZero: line[name] === '0',
          })),
        ]}
        total={{
          name: t('reports.closing'),
          hint: t('reports.hint.closing'),
          sign: '=',
          amount: <Balance baseUnits={closing} unit={token} />,
        }}
      />
      <Link href={`/ledger?tokenId=${encodeURIComponent(tokenId)}&from=${from}&to=${to}`}>
        {t('reports.entries')}
      </Link>
    </section>
  )
}
