// @vitest-environment happy-dom

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { getBalances } from 'redeemkit'
import { createMockService } from 'redeemkit/mock'
import { afterEach, expect, test, vi } from 'vitest'
import { NoAnswer, Problem } from './Problem.tsx'

/** What is shown when the service answers 451 with a link. */
async function shownWith(verificationLink: string): Promise<string> {
  const { client, pinned } = createMockService({
    faults: { getBalances: { code: 'VERIFICATION_REQUIRED', details: { verificationLink } } },
  })
  const error: unknown = await getBalances(client, { creditSeed: pinned.creditSeed }).catch((cause) => cause)
  return renderToStaticMarkup(
    <Problem title="Not yet" error={error}>
      Follow the link.
    </Problem>,
  )
}

test('a visitor who has to be verified gets the link, and reads where it leads', async () => {
  const shown = await shownWith('https://kyc.example/a')
  expect(shown).toContain('href="https://kyc.example/a"')
  expect(shown).toContain('target="_blank"')
  expect(shown).toContain('rel="noopener noreferrer"')
  expect(shown).toMatch(/verified at (<!-- -->)?kyc\.example</)
})

test('a link that others could read is not shown', async () => {
  expect(await shownWith('http://kyc.example/a')).not.toContain('<a')
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('a wallet that does not answer: the page says where to look, and lets a visitor start again', () => {
  vi.useFakeTimers()
  const onStartAgain = vi.fn()
  const { container } = render(<NoAnswer onStartAgain={onStartAgain} />)
  act(() => vi.advanceTimersByTime(19_999))
  expect(container.textContent).toBe('')
  act(() => vi.advanceTimersByTime(1))
  expect(container.textContent).toContain('Open it to continue')
  fireEvent.click(screen.getByRole('button', { name: 'Start again' }))
  expect(onStartAgain).toHaveBeenCalledOnce()
})
