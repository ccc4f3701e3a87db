// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { inspect, tempoContracts } from 'redeemkit/tempo'
import { getAddress, type Hex } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Approval, SignApproval } from '../messages.ts'
import { failing, fakeWorker, state } from './fakeWorker.fixture.ts'
import {
  account,
  approval,
  connect,
  flood,
  link,
  otherAccount,
  otherContract,
  purchase,
  text,
} from './requests.fixture.ts'
import { ApprovalWindow } from './windows.tsx'

let hasFocus = true

beforeEach(() => {
  hasFocus = true
  vi.useFakeTimers()
  vi.spyOn(document, 'hasFocus').mockImplementation(() => hasFocus)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const sign = () => button('Sign')
const isArmed = () => sign().getAttribute('aria-disabled') === 'false'

/** Clicks with the time stamp at which the user clicked, as the browser reports it. */
async function click(element: HTMLElement, timeStamp = performance.now()) {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true })
  Object.defineProperty(event, 'timeStamp', { value: timeStamp })
  await act(async () => void fireEvent(element, event))
}

async function open(...approvals: readonly Approval[]) {
  const worker = fakeWorker({ state, approvals })
  render(<ApprovalWindow worker={worker} />)
  await wait(20)
  const answers = () => worker.asked.filter(({ name }) => name === 'approve' || name === 'reject')
  return { ...worker, answers }
}

test('a click on Sign is accepted 500 ms after the window was shown, and passes the digests that it shows', async () => {
  const worker = await open(purchase)
  await wait(460)
  await click(sign())
  expect(worker.answers()).toEqual([])
  expect(isArmed()).toBe(false)
  await wait(60)
  expect(isArmed()).toBe(true)
  expect(screen.getByText(purchase.digests[0] ?? 'no digest')).toBeDefined()
  await click(sign())
  expect(worker.answers()).toEqual([{ name: 'approve', ask: { id: 'purchase', digests: purchase.digests } }])
})

test('Escape rejects the request, unless the key was held since an earlier one', async () => {
  const worker = await open(purchase)
  const press = (repeat: boolean) =>
    act(async () => void fireEvent.keyDown(document.body, { key: 'Escape', repeat }))
  await press(true)
  expect(worker.answers()).toEqual([])
  await press(false)
  expect(worker.answers()).toEqual([{ name: 'reject', ask: { id: 'purchase' } }])
})

test('a click that was made too early is ignored even if it arrives late', async () => {
  const worker = await open(purchase)
  const early = performance.now() + 400
  await wait(600)
  await click(sign(), early)
  expect(worker.answers()).toEqual([])
})

test('a window without focus does not sign, and restarts its delay when it gets the focus', async () => {
  hasFocus = false
  await open(purchase)
  await wait(2_000)
  expect(isArmed()).toBe(false)
  hasFocus = true
  act(() => void window.dispatchEvent(new Event('focus')))
  await wait(400)
  expect(isArmed()).toBe(false)
  await wait(150)
  expect(isArmed()).toBe(true)
  act(() => void window.dispatchEvent(new Event('blur')))
  expect(isArmed()).toBe(false)
})

test('a hidden window does not sign', async () => {
  await open(purchase)
  await wait(600)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await wait(2_000)
  expect(isArmed()).toBe(false)
})

test('a changed request disarms the button and focuses Reject; the approval passes the new digests', async () => {
  const worker = await open(purchase)
  await wait(600)
  act(() => sign().focus())
  const digests = [`0x${'99'.repeat(32)}`] as const
  worker.change({ approvals: [{ ...purchase, digests }] })
  await wait(20)
  expect(isArmed()).toBe(false)
  expect(document.activeElement).toBe(button('Reject'))
  await click(sign())
  expect(worker.answers()).toEqual([])
  await wait(520)
  await click(sign())
  expect(worker.answers()).toEqual([{ name: 'approve', ask: { id: 'purchase', digests } }])
})

test('reading the same list again changes nothing', async () => {
  const worker = await open(purchase)
  await wait(600)
  worker.change({ approvals: [structuredClone(purchase)] })
  await wait(20)
  expect(isArmed()).toBe(true)
})

test('the delay starts again when the link that rejects all requests disappears, because the buttons move', async () => {
  const worker = await open({ ...text, isInsistent: true })
  await wait(600)
  expect(button('Reject all requests from this site for a minute')).toBeDefined()
  worker.change({ approvals: [text] })
  await wait(20)
  await click(sign())
  expect(worker.answers()).toEqual([])
  await wait(520)
  expect(isArmed()).toBe(true)
})

test('the next request starts a new delay of 500 ms, and Reject has the focus', async () => {
  const worker = await open(purchase, text)
  expect(document.activeElement).toBe(button('Reject'))
  expect(screen.getByText('1 of 2')).toBeDefined()
  await wait(600)
  await click(sign())
  worker.change({ approvals: [text] })
  await wait(20)
  expect(isArmed()).toBe(false)
  await click(sign())
  expect(worker.answers()).toHaveLength(1)
  expect(document.activeElement).toBe(button('Reject'))
  await wait(520)
  await click(sign())
  expect(worker.answers()).toMatchObject([{ ask: { id: 'purchase' } }, { ask: { id: 'text' } }])
})

test('a locked wallet shows no request', async () => {
  const worker = fakeWorker({
    state: { ...state, vault: 'locked', accounts: [], waiting: 1 },
    approvals: [text],
  })
  render(<ApprovalWindow worker={worker} />)
  await wait(20)
  expect(screen.getByText('A site is waiting for your answer.')).toBeDefined()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  worker.change({ state })
  await wait(20)
  expect(screen.getByRole('alertdialog')).toBeDefined()
})

test('a request that arrives earlier in the queue does not replace the shown one', async () => {
  const worker = await open(purchase)
  await wait(600)
  worker.change({ approvals: [text, purchase] })
  await wait(20)
  expect(screen.getByText('2 of 2')).toBeDefined()
  expect(isArmed()).toBe(true)
  await click(sign())
  expect(worker.answers()).toMatchObject([{ ask: { id: 'purchase' } }])
})

test('a second click does nothing while the first is being processed', async () => {
  const worker = await open(purchase)
  await wait(600)
  await click(sign())
  await click(button(/Sign/))
  await click(button('Reject'))
  expect(worker.answers()).toHaveLength(1)
})

test.each([
  ['changed', 'The request changed, so nothing was signed. Read it again.'],
  ['noAnswer', 'Pocket was restarted before it finished. Try again. Nothing will be signed twice.'],
] as const)('a click that fails with %s shows the reason and what to do', async (code, told) => {
  const worker = await open(purchase)
  worker.change({ approve: failing(code) })
  await wait(600)
  await click(sign())
  expect(screen.getByRole('alert').textContent).toBe(told)
})

test('a refused request has no sign button, and shows the problem first', async () => {
  await open(otherContract)
  await wait(1_000)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Reject'])
  expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/not on your trusted list/)
  expect(screen.getByText('This contract is not one of your trusted contracts.')).toBeDefined()
  expect(screen.getByText(/^Reject this request\. Nothing has been signed/)).toBeDefined()
})

test('a link to a new receiver asks the user to check the receiver, with one warning', async () => {
  const finding = { severity: 'warning', code: 'UNPINNED_RECEIVER', message: 'Not pinned.' } as const
  await open({ ...link, also: undefined, inspection: { ...link.inspection, findings: [finding] } })
  expect(screen.getAllByText(/You have not saved this receiver/)).toHaveLength(1)
  expect(screen.getByText('Check this first')).toBeDefined()
})

test('a refused second part has no sign button either', async () => {
  const also: SignApproval['inspection'] = { ...purchase.inspection, verdict: 'refuse' }
  await open({ ...purchase, also })
  expect(screen.queryByRole('button', { name: 'Sign' })).toBeNull()
})

test('a transaction can be signed only after it is prepared', async () => {
  const preparing: SignApproval = { ...text, digests: [], transaction: { state: 'preparing' } }
  const worker = await open(preparing)
  await wait(1_000)
  await click(sign())
  expect(worker.answers()).toEqual([])
  const transaction = { state: 'ready', maxFee: 1n } as const
  worker.change({ approvals: [{ ...text, transaction }] })
  await wait(20)
  expect(isArmed()).toBe(false)
  await wait(520)
  await click(sign())
  expect(worker.answers()).toHaveLength(1)
})

test('a fee is readable and rounded up, and is exact next to the raw request', async () => {
  const transaction = { state: 'ready', maxFee: 123_412_345_678_901n, nonce: 0, gas: 21_000n } as const
  const fees = () => [...document.querySelectorAll('dt')].map((name) => name.parentElement?.textContent)
  const worker = await open({ ...text, transaction })
  expect(fees()).toContain('Network fee, at most0.0001235 ETH')
  expect(fees()).toContain('Network fee, at most (all digits)0.000123412345678901 ETH')
  worker.change({ approvals: [{ ...text, chainId: 42431, transaction }] })
  await wait(20)
  expect(fees()).toContain('Network fee, at most$0.000124 in your account’s fee token')
})

test('a Tempo token is not called USDC', async () => {
  const pay = (to: Hex) =>
    inspect({
      chainId: 42431,
      calls: [{ to, data: `0xa9059cbb${account.slice(2).padStart(64, '0')}${'4c4b40'.padStart(64, '0')}` }],
    })
  const sends = () => document.querySelector('.effect strong')?.textContent
  const inspection = await pay(tempoContracts.pathUsd)
  const worker = await open({ ...text, chainId: 42431, inspection })
  expect(sends()).toBe('You send 5 pathUSD')
  const unknown = getAddress('0x20c00000000000000000000000000000000000ff')
  worker.change({ approvals: [{ ...text, chainId: 42431, inspection: await pay(unknown) }] })
  await wait(20)
  expect(sends()).toBe(`You send 5 ${unknown}`)
})

test('all requests of a site can be rejected together', async () => {
  const worker = await open(...flood)
  expect(screen.getByText('1 of 4')).toBeDefined()
  worker.change({ approvals: flood.slice(1) })
  await wait(20)
  await click(button('Reject all requests from this site for a minute'))
  expect(worker.answers()).toEqual([{ name: 'reject', ask: { id: 'text', isForAllOfSite: true } }])
})

test('a site is connected with the selected accounts, and cannot be connected with none', async () => {
  const worker = await open(connect)
  await wait(600)
  const [first] = screen.getAllByRole('checkbox')
  if (first === undefined) throw new Error('There is no account to choose.')
  fireEvent.click(first)
  await click(button('Connect'))
  expect(worker.answers()).toEqual([])
  fireEvent.click(first)
  await click(button('Connect'))
  expect(worker.answers()).toEqual([
    { name: 'approve', ask: { id: 'connect', digests: [], accounts: [account] } },
  ])
})

test('the account that was selected first is the first that the site gets', async () => {
  const worker = fakeWorker({ state: { ...state, selected: otherAccount }, approvals: [connect] })
  render(<ApprovalWindow worker={worker} />)
  await wait(20)
  await wait(600)
  const [first] = screen.getAllByRole('checkbox')
  if (first === undefined) throw new Error('There is no account to choose.')
  fireEvent.click(first)
  await click(button('Connect'))
  expect(worker.asked.find(({ name }) => name === 'approve')?.ask).toMatchObject({
    accounts: [otherAccount, account],
  })
})

test('letters of another script are shown in their ASCII form, with a warning', async () => {
  await open(text)
  expect(screen.getByText('xn--lmpfall-2fg.shop')).toBeDefined()
  expect(screen.getByText(/may be imitating another site/)).toBeDefined()
})

test('invisible characters are escaped in the raw request', async () => {
  await open({ ...text, raw: 'pay \u202e01\u202c\u200b USDC\nnow' })
  expect(screen.getByText(/pay/).textContent).toBe('pay \\u202e01\\u202c\\u200b USDC\nnow')
})

test('before an account is imported, the window offers to import one', async () => {
  const worker = fakeWorker({ state: { ...state, vault: 'none', accounts: [], waiting: 1 } })
  render(<ApprovalWindow worker={worker} />)
  await wait(20)
  expect(button('Set up Pocket')).toBeDefined()
})

test('the reason why a transaction cannot be sent is next to the buttons, visible without scrolling', async () => {
  const transaction = { state: 'failed', reason: 'The node does not respond.' } as const
  await open({ ...approval, transaction })
  expect(screen.getByRole('contentinfo').textContent).toContain('The node does not respond.')
})

test('the window closes when no request is left, but not before the first list has arrived', async () => {
  const worker = await open(approval)
  expect(worker.closed()).toBe(0)
  worker.change({ approvals: [] })
  await wait(20)
  expect(worker.closed()).toBe(1)
})
