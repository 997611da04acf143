import { Page } from '../../parts/page.tsx'
import { t } from '../../text/text.ts'

/** Tasks that need attention, then balances and chains. */
export function Home() {
  return <Page title={t('home.title')}>{null}</Page>
}
