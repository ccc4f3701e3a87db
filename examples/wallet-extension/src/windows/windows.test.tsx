// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { toJson } from 'redeemkit'
import { afterEach, expect, test, vi } from 'vitest'
import type { WalletState } from '../messages.ts'
import { failing, fakeWorker, state } from './fakeWorker.fixture.ts'
import { passwordStrength } from './passwordStrength.ts'
import { account, lampfall, otherAccount } from './requests.fixture.ts'
import { english } from './texts/english.ts'
import { portuguese } from './texts/portuguese.ts'
import { openWindow, PopupWindow, SettingsWindow } from './windows.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const empty = { ...state, vault: 'none', accounts: [] } as const
const phrase = 'test test test test test test test test test test test junk'
const field = (label: string) => screen.getByLabelText(label, { selector: ':not([type=radio])' })
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const click = (name: string | RegExp) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })))

async function open(Page: typeof PopupWindow, answers: Parameters<typeof fakeWorker>[0] = {}) {
  const worker = fakeWorker(answers)
  render(<Page worker={worker} />)
  await screen.findAllByRole('heading')
  return { ...worker, asks: (name: string) => worker.asked.filter((one) => one.name === name) }
}

test('creating a vault requires a strong password, entered twice', async () => {
  const worker = await open(SettingsWindow, { state: empty })
  fill('Recovery phrase', phrase)
  fill('Password', 'password1')
  fill('Repeat the password', 'password2')
  await click('Import')
  expect(screen.getByText('Choose a stronger password.')).toBeDefined()
  expect(screen.getByText('The two passwords differ.')).toBeDefined()
  expect(worker.asks('createVault')).toEqual([])
  const password = 'lamp moth cabinet dusk'
  fill('Password', password)
  fill('Repeat the password', password)
  await click('Import')
  const secret = { kind: 'phrase', phrase }
  expect(worker.asks('createVault')).toEqual([{ name: 'createVault', ask: { password, secret } }])
})

test.each([
  ['', 'weak'],
  ['Aa1!Aa1!', 'weak'],
  ['password1234', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['abcdefghijklmnopqrst', 'weak'],
  ['moth dusk lamp', 'fair'],
  ['lamp moth cabinet dusk', 'strong'],
])('the password %j is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength)
})

test('an invalid secret is reported at its field, in the language of the settings', async () => {
  const settings = { ...state.settings, language: 'pt-BR' } as const
  await open(SettingsWindow, { state: { ...empty, settings }, createVault: failing('invalidSecret') })
  fill('Frase de recuperação', 'moth')
  fill('Senha', 'lamp moth cabinet dusk')
  fill('Repita a senha', 'lamp moth cabinet dusk')
  await click('Importar')
  expect(field('Frase de recuperação').getAttribute('aria-invalid')).toBe('true')
  expect(document.documentElement.lang).toBe('pt-BR')
})

test('a wrong password does not unlock', async () => {
  await open(PopupWindow, {
    state: { ...state, vault: 'locked', accounts: [] },
    unlock: failing('wrongPassword'),
  })
  fill('Password', 'moth')
  await click('Unlock')
  expect(screen.getByText('The password is wrong.')).toBeDefined()
})

test('a locked wallet shows no data of the unlocked wallet', async () => {
  const worker = await open(PopupWindow)
  await screen.findByText('Open permits')
  act(() => worker.change({ state: { ...state, vault: 'locked', accounts: [] } }))
  await screen.findByText('Unlock Pocket')
  expect(screen.queryByText('Everyday')).toBeNull()
  expect(screen.queryByText('Open permits')).toBeNull()
})

test('the popup shows balances, and marks those that could not be read', async () => {
  await open(PopupWindow)
  await screen.findByText('Credits at Nachtfalter')
  expect(screen.getByText('318.40')).toBeDefined()
  expect(screen.getByText('0.0418')).toBeDefined()
  expect(screen.getByText('Unavailable')).toBeDefined()
})

test('a wallet without a node shows no balance of zero', async () => {
  await open(PopupWindow, { balances: [] })
  await screen.findByText('To see your balances, add a node in the settings.')
  expect(screen.queryByText('$0.00')).toBeNull()
})

test('an open permit can be cancelled, and a paid one leads to the explorer', async () => {
  const worker = await open(PopupWindow)
  await screen.findByText('Open permits')
  await click('Cancel the permit for lampfall.shop')
  expect(worker.asks('cancelPermit')).toEqual([{ name: 'cancelPermit', ask: { redeemId: '1' } }])
  expect(screen.getAllByRole('link')[0]?.getAttribute('href')).toMatch(/^https:\/\/sepolia\.basescan\.org/)
})

test('the user selects a different account, and its balances are read', async () => {
  const worker = await open(PopupWindow)
  fireEvent.click(screen.getByRole('button', { name: /Savings/, hidden: true }))
  expect(worker.asks('selectAccount')).toEqual([{ name: 'selectAccount', ask: { address: otherAccount } }])
  act(() => worker.change({ state: { ...state, selected: otherAccount } }))
  await waitFor(() => expect(worker.asks('balances').at(-1)?.ask).toEqual({ address: otherAccount }))
})

test('the user hides a single account from a site, and disconnects a site', async () => {
  const worker = await open(PopupWindow)
  await click('Sites')
  await click('Hide Everyday from lampfall.shop')
  await click('Disconnect lampfall.shop')
  expect(worker.asks('setSiteAccounts').map(({ ask }) => ask)).toEqual([
    { origin: 'https://lampfall.shop', accounts: [otherAccount] },
    { origin: 'https://lampfall.shop', accounts: [] },
  ])
})

test('a payment link shows shop, amount, order and a new receiver before it pays', async () => {
  const worker = await open(PopupWindow)
  await click('Pay')
  fill('Payment link', ' web+redeem:pay?order=2047 ')
  await click('Show payment')
  for (const shown of ['Pay Lampfall', '$10.00', 'bill 2047', /You have not saved this receiver/])
    expect(screen.getByText(shown)).toBeDefined()
  expect(worker.asks('payLink')).toEqual([])
  await click('Continue')
  const ask = { link: 'web+redeem:pay?order=2047', account }
  expect(worker.asks('payLink')).toEqual([{ name: 'payLink', ask }])
  // A second click would add the request a second time.
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull()
  // An empty form alone would look as if nothing had happened.
  expect(screen.getByText(/approval window/)).toBeDefined()
})

test('a pin is saved as it was typed, and an invalid field is reported', async () => {
  const worker = await open(SettingsWindow, { savePin: failing('invalidPin', 'receivers') })
  await screen.findByText('Lampfall')
  await click('Edit Lampfall')
  fill('Receivers', `${account}\n${otherAccount}`)
  fill('Highest network fee, in USD', '0,5')
  await click('Save')
  const pin = { ...lampfall, receivers: [account, otherAccount], maxGasFeeCents: 50 }
  expect(worker.asks('savePin')).toEqual([{ name: 'savePin', ask: { pin } }])
  expect(field('Receivers').getAttribute('aria-invalid')).toBe('true')
  // The button may be far from the field.
  expect(document.activeElement).toBe(field('Receivers'))
  expect(screen.getAllByText('Check this value.')).toHaveLength(1)
})

test('a node address that is not http is refused, without a permission prompt', async () => {
  const allowNode = () => Promise.reject(new Error('ftp is not permitted.'))
  render(<SettingsWindow worker={{ ...fakeWorker({ setNode: failing('invalidNode') }), allowNode }} />)
  await screen.findAllByRole('heading')
  await click('Networks')
  fill('Base Sepolia (84532)', 'ftp://node.example')
  await click('Save the node for Base Sepolia')
  expect(screen.getByText('This node does not respond, or serves another network.')).toBeDefined()
})

test('a pasted shop fills the form, and is saved only after a click; other text changes nothing', async () => {
  const worker = await open(SettingsWindow)
  await click('Add shop')
  const { id: _, maxGasFeeCents: _cents, ...values } = lampfall
  fill('Paste a shop', '{"name":"Other"}')
  fill('Paste a shop', JSON.stringify({ ...values, chainId: 1 }))
  fill('Paste a shop', 'Lampfall')
  expect(Object(field('Name')).value).toBe('')
  expect(field('Paste a shop').getAttribute('aria-invalid')).toBe('true')
  fill('Paste a shop', JSON.stringify(values))
  expect(field('Paste a shop').getAttribute('aria-invalid')).toBe('false')
  expect(Object(field('Receivers')).value).toBe(lampfall.receivers.join('\n'))
  expect(worker.asks('savePin')).toEqual([])
  await click('Save')
  expect(worker.asks('savePin').map(({ ask }) => ask)).toEqual([{ pin: { ...values, maxGasFeeCents: 100 } }])
})

test('an address can be named, and the name removed', async () => {
  const worker = await open(SettingsWindow)
  await click('Names')
  fill('Name', 'Everyday')
  fill('Address', account.slice(1))
  await click('Save')
  expect(worker.asks('saveName')).toEqual([])
  fill('Address', ` ${account} `)
  await click('Save')
  await click(/^Remove Lampfall/)
  expect(worker.asks('saveName').map(({ ask }) => ask)).toEqual([
    { address: account, name: 'Everyday' },
    { address: lampfall.receivers[0], name: '' },
  ])
})

test('the wallet is erased only after the confirmation was typed', async () => {
  const worker = await open(SettingsWindow)
  await click('General')
  await click('Erase everything')
  expect(worker.asks('eraseVault')).toEqual([])
  fill('Type “erase” to confirm', 'erase')
  await click('Erase everything')
  expect(worker.asks('eraseVault')).toHaveLength(1)
})

test('both languages have the same placeholders', () => {
  const placeholders = (text: string) => text.match(/\{\w+\}/g)?.sort() ?? []
  for (const [key, text] of Object.entries(english))
    expect(placeholders(portuguese[key as keyof typeof english]), key).toEqual(placeholders(text)) // A key that both languages have.
})

test.each([
  ['cannot read its data', { failure: { code: 'failed', message: '' } }],
  [
    'has data that the window cannot show',
    { value: { ...state, settings: { ...state.settings, language: 'xx' } } },
  ],
  [
    'has data of another type',
    // The types do not allow such data.
    { value: { ...state, accounts: [null] as unknown as WalletState['accounts'] } },
  ],
])('a window whose worker %s says what to do instead of being empty', async (_, answer) => {
  document.body.innerHTML = '<div id="root"></div>'
  const onMessage = { addListener: () => {}, removeListener: () => {} }
  const sendMessage = async () => ({ text: toJson(answer) })
  vi.stubGlobal('chrome', { runtime: { sendMessage, onMessage } })
  openWindow((worker) => <PopupWindow worker={worker} />)
  expect(await screen.findByRole('heading', { name: 'Pocket cannot read its data' })).toBeDefined()
  expect(screen.getByText(/Your data was not deleted/)).toBeDefined()
})
