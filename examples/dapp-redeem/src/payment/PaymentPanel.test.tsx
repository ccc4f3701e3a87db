// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { getBalances } from 'redeemkit'
import { createMockService, redeemStates } from 'redeemkit/mock'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { PaymentPanel } from './PaymentPanel.tsx'
import { Problem } from './Problem.tsx'
import { centsOf } from './SplitControl.tsx'

afterEach(cleanup)

const none = () => {}

/** Returns the panel of a bill in the state of this name. */
function panelAt(name: string, { isOnline = true, onClick = none } = {}) {
  const state = redeemStates.find((one) => one.name === name)
  if (state === undefined) throw new Error(`There is no state ${name}.`)
  return (
    <PaymentPanel
      purchase={{ title: 'Bill 2041', cents: 450, usdcCents: 0 }}
      button={state.shown}
      has={undefined}
      isOnline={isOnline}
      onUsdcCents={none}
      onClick={onClick}
      onConnect={none}
      onCancel={none}
    />
  )
}

test('offline, a click does nothing, because a signature could not be sent', () => {
  const onClick = vi.fn()
  const panel = (isOnline: boolean) => panelAt('ready', { isOnline, onClick })
  const { rerender } = render(panel(false))
  fireEvent.click(screen.getByRole('button', { name: 'Waiting for your connection' }))
  expect(onClick).not.toHaveBeenCalled()
  rerender(panel(true))
  fireEvent.click(screen.getByRole('button', { name: 'Pay $10.00' }))
  expect(onClick).toHaveBeenCalledOnce()
})

test.each([
  ['ready: the request was rejected', 'Payment not completed.'],
  ['ready: another request is open in the wallet', 'Something went wrong.'],
])('the headline of "%s"', (name, title) => {
  render(panelAt(name))
  expect(screen.getByRole('alert').querySelector('.problem-title')?.textContent).toBe(title)
})

describe('SplitControl', () => {
  test.each([
    ['4', 400],
    ['4.5', 450],
    ['4,50', 450],
    ['$12.34', 1234],
    [' 0.07 ', 7],
    ['24.50', 2450],
  ])('%s is %i cents', (text, cents) => {
    expect(centsOf(text, 2450)).toBe(cents)
  })

  test.each(['', '24.51', '-1', '1.234', '1e2', '0x10', '4.5.0', 'four'])(
    '%s is not a valid part of 24.50',
    (text) => {
      expect(centsOf(text, 2450)).toBeUndefined()
    },
  )
})

describe('Problem', () => {
  /** Returns the message that is shown for a 451 error with this link. */
  async function shownWith(verificationLink: string): Promise<string> {
    const { client, pinned } = createMockService({
      faults: { getBalances: { code: 'VERIFICATION_REQUIRED', details: { verificationLink } } },
    })
    const error: unknown = await getBalances(client, { creditSeed: pinned.creditSeed }).catch(
      (cause) => cause,
    )
    return renderToStaticMarkup(
      <Problem title="Not yet" error={error}>
        Follow the link.
      </Problem>,
    )
  }

  test('a visitor who must be verified gets the link and sees its host', async () => {
    const shown = await shownWith('https://kyc.example/a')
    expect(shown).toContain('href="https://kyc.example/a"')
    expect(shown).toContain('target="_blank"')
    expect(shown).toContain('rel="noopener noreferrer"')
    expect(shown).toMatch(/verified at (<!-- -->)?kyc\.example</)
  })

  test('a link that does not use https is not shown', async () => {
    expect(await shownWith('http://kyc.example/a')).not.toContain('<a')
  })
})
