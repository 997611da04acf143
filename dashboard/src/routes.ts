import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import type { IconName } from './parts/icon.tsx'
import type { TextKey } from './text/text.ts'

type Component = LazyExoticComponent<ComponentType>

/** A page of the dashboard. */
export interface Route {
  /** Below `/dashboard`; `:name` is a parameter. */
  path: string
  Component: Component
}

/** A page with an entry in the menu. */
export interface MenuRoute extends Route {
  title: TextKey
  icon: IconName
}

const page = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): Component => lazy(async () => ({ default: (await load())[name] }))

/** The menu, in groups. Each page is loaded when it is first opened. */
export const MENU: readonly { title: TextKey; routes: readonly MenuRoute[] }[] = [
  {
    title: 'menu.work',
    routes: [
      {
        path: '/',
        title: 'home.title',
        icon: 'home',
        Component: page(() => import('./pages/home/home.tsx'), 'Home'),
      },
      {
        path: '/deposits',
        title: 'deposits.title',
        icon: 'deposit',
        Component: page(() => import('./pages/deposits/deposits.tsx'), 'Deposits'),
      },
    ],
  },
  {
    title: 'menu.organization',
    routes: [
      {
        path: '/people',
        title: 'people.title',
        icon: 'people',
        Component: page(() => import('./pages/people/people.tsx'), 'People'),
      },
      {
        path: '/api-keys',
        title: 'apiKeys.title',
        icon: 'key',
        Component: page(() => import('./pages/api-keys/api-keys.tsx'), 'ApiKeys'),
      },
      {
        path: '/settings',
        title: 'settings.title',
        icon: 'settings',
        Component: page(() => import('./pages/settings/settings.tsx'), 'Settings'),
      },
    ],
  },
  {
    title: 'menu.money',
    routes: [
      {
        path: '/portfolio',
        title: 'portfolio.title',
        icon: 'portfolio',
        Component: page(() => import('./pages/portfolio/portfolio.tsx'), 'Portfolio'),
      },
      {
        path: '/ledger',
        title: 'ledger.title',
        icon: 'ledger',
        Component: page(() => import('./pages/ledger/ledger.tsx'), 'Ledger'),
      },
      {
        path: '/reports',
        title: 'reports.title',
        icon: 'audit',
        Component: page(() => import('./pages/reports/reports.tsx'), 'Reports'),
      },
      {
        path: '/gas-station',
        title: 'gasStation.title',
        icon: 'gas',
        Component: page(() => import('./pages/gas-station/gas-station.tsx'), 'GasStation'),
      },
    ],
  },
]

/** Pages that others link to. */
export const RECORDS: readonly Route[] = [
  {
    path: '/account',
    Component: page(() => import('./pages/account/account.tsx'), 'MyAccount'),
  },
  {
    path: '/people/:id',
    Component: page(() => import('./pages/people/person.tsx'), 'PersonPage'),
  },
  {
    path: '/api-keys/new',
    Component: page(() => import('./pages/api-keys/new-api-key.tsx'), 'NewApiKey'),
  },
  {
    path: '/api-keys/:id',
    Component: page(() => import('./pages/api-keys/api-key.tsx'), 'ApiKeyPage'),
  },
  {
    path: '/trace',
    Component: page(() => import('./pages/deposits/trace-page.tsx'), 'TracePage'),
  },
]

/** Pages that need no session. */
export const WITHOUT_SESSION: readonly Route[] = [
  {
    path: '/invitation',
    Component: page(() => import('./pages/invitation/invitation.tsx'), 'Invitation'),
  },
]
