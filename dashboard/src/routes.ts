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
    ],
  },
]

/** Pages that others link to. */
export const RECORDS: readonly Route[] = [
  {
    path: '/account',
    Component: page(() => import('./pages/account/account.tsx'), 'MyAccount'),
  },
]

/** Pages that need no session. */
export const WITHOUT_SESSION: readonly Route[] = [
  {
    path: '/invitation',
    Component: page(() => import('./pages/invitation/invitation.tsx'), 'Invitation'),
  },
]
