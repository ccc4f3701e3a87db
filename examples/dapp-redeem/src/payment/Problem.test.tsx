// @vitest-environment happy-dom

import { renderToStaticMarkup } from 'react-dom/server'
import { getBalances } from 'redeemkit'
import { createMockService } from 'redeemkit/mock'
import { expect, test } from 'vitest'
import { Problem } from './Problem.tsx'

/** The text for a 451 with a link. */
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

test('a visitor who has to be verified gets the link and sees its host', async () => {
  const shown = await shownWith('https://kyc.example/a')
  expect(shown).toContain('href="https://kyc.example/a"')
  expect(shown).toContain('target="_blank"')
  expect(shown).toContain('rel="noopener noreferrer"')
  expect(shown).toMatch(/verified at (<!-- -->)?kyc\.example</)
})

test('a link that others could read is not shown', async () => {
  expect(await shownWith('http://kyc.example/a')).not.toContain('<a')
})
