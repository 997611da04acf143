import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Route, Router, Switch } from 'wouter'
import { queries } from './data/client.ts'
import { useSession } from './data/session.ts'
import { SignIn } from './pages/sign-in/sign-in.tsx'
import { Page } from './parts/page.tsx'
import { Empty } from './parts/states.tsx'
import { Toasts } from './parts/toast.tsx'
import { MENU, RECORDS, WITHOUT_SESSION } from './routes.ts'
import { Shell } from './shell.tsx'
import { t } from './text/text.ts'

/** For a person whose authenticator was reset; with it comes the code that draws QR codes. */
const MustEnrol = lazy(async () => ({
  default: (await import('./pages/sign-in/must-enrol.tsx')).MustEnrol,
}))

/** The dashboard. `base` is the path below which it is served. */
export function App({ base }: { base: string }) {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <Router base={base}>
          <Switch>
            {WITHOUT_SESSION.map(({ path, Component }) => (
              <Route key={path} path={path} component={Component} />
            ))}
            <Route>
              <WithSession />
            </Route>
          </Switch>
        </Router>
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  )
}

/** The page stays when a session expires: the person signs in again on top of it. */
function WithSession() {
  const { session } = useSession()
  if (session === null) return <SignIn />
  if (session.mustEnrolTotp)
    return (
      <Suspense>
        <MustEnrol />
      </Suspense>
    )
  return (
    <Shell>
      <Switch>
        {[...MENU.flatMap(({ routes }) => routes), ...RECORDS].map(({ path, Component }) => (
          <Route key={path} path={path} component={Component} />
        ))}
        <Route>
          <Page title={t('notFound.title')}>
            <Empty title={t('notFound.why')} />
          </Page>
        </Route>
      </Switch>
    </Shell>
  )
}
