import { expect, test } from 'vitest'
import { personOf, tenantOf, theWorld } from '../world/given.ts'
import { codeOf } from '../world/sign-in.ts'
import { describePages, signIn, signOut, untilComplete } from './open.ts'

const person = personOf(tenantOf('dashboard'), 'admin', 1)

describePages('signing in', (open) => {
  test('works once with a code, and keeps what was typed after a refusal', async () => {
    const used = codeOf(person, 0)
    const { page, visit, close } = await open()
    await visit('/deposits')
    await page.getByLabel('User name').fill(person.username)
    await signIn(page, person.password, used)
    await page.getByRole('heading', { name: 'Deposits', exact: true }).waitFor()
    await signOut(page, person.username)
    await page.getByLabel('User name').fill(person.username)
    await signIn(page, person.password, used)
    await page
      .getByText(/wrong, expired or already used/)
      .first()
      .waitFor()
    expect(await page.getByLabel('User name').inputValue()).toBe(person.username)
    expect(await page.getByLabel('Password').inputValue()).toBe(person.password)
    expect(await page.getByLabel('One-time code').inputValue()).toBe('')
    await close()
  })

  test('continues on the same page after a session has ended', async () => {
    const ended = { ...person, accessToken: `${person.accessToken.slice(0, -4)}AAAA` }
    const { page, visit, close } = await open(ended)
    await visit('/deposits?status=Held')
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.waitFor()
    await signIn(page, person.password, codeOf(person, 1))
    await again.waitFor({ state: 'detached' })
    await untilComplete(page)
    expect(page.url()).toMatch(/\/dashboard\/deposits\?status=Held$/)
    await page.getByText('No record matches').waitFor()
    await close()
  })

  test('says so when the service does not answer, and tries again', async () => {
    const { page, visit, close } = await open(person)
    const list = new RegExp(`^${theWorld().baseUrl}/payments\\?`)
    await visit('/')
    await page.route(list, (request) => request.fulfill({ status: 503, body: 'away' }))
    await visit('/deposits')
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
    await page.unroute(list)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('No deposits yet').waitFor()
    await page.context().setOffline(true)
    await page.getByText('No connection. What you see may be out of date.').waitFor()
    await close()
  })
})
