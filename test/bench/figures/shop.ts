import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { type RunningSandbox, startSandbox } from '../../../src/sandbox/index.ts'
import { openChromium } from '../../browser/openChromium.ts'
import type { Figure, Row } from '../figure.ts'
import { type BuiltPage, buildPage, weigh } from '../shop/buildPage.ts'
import { type Visit, visitPage } from '../shop/visitPage.ts'

/** Visits for each way to pay: of the time to the prompt the median counts. */
const visits = 7

type Stage = { sandbox: RunningSandbox; browser: Browser }

/** Pages that redeem: by the hooks, and by the plain functions of `redeemkit`, which show what the hooks weigh. */
const redeemPages = { hooks: 'hooksPage', functions: 'functionsPage' } as const

export const shop: Figure = {
  name: 'shop',
  about: 'a redeem button in Chromium, beside the same page with wagmi alone',
  measure: async (progress) => {
    const sandbox = await startSandbox({ bridge: false })
    const browser = await openChromium()
    const stage = { sandbox, browser }
    try {
      const alone = await buildPage('wagmiPage')
      const { scripts } = await visitPage(alone, { ...stage, redeems: false })
      const wagmiOnly = weigh(alone, [...scripts.first, ...scripts.later])
      progress(`wagmi, React and TanStack Query alone: ${kB(wagmiOnly)} kB`)
      const rows: Row[] = []
      for (const [name, file] of Object.entries(redeemPages)) {
        const page = await buildPage(file)
        const { withCredits, withUsdc } = await redeemOften(page, stage, progress)
        rows.push(...sizeRows(name, { page, withUsdc, wagmiOnly }))
        if (name === 'hooks') rows.push(...redeemRows(withCredits, withUsdc))
      }
      return [...rows, await linesRow()]
    } finally {
      await browser.close()
      await sandbox.stop()
    }
  },
}

type Redeemed = Visit & { redeem: NonNullable<Visit['redeem']> }

async function redeemOften(
  page: BuiltPage,
  stage: Stage,
  progress: (text: string) => void,
): Promise<{ withCredits: Redeemed[]; withUsdc: Redeemed[] }> {
  const paid: Record<'withCredits' | 'withUsdc', Redeemed[]> = { withCredits: [], withUsdc: [] }
  for (let turn = 0; turn < visits; turn++)
    for (const way of ['withCredits', 'withUsdc'] as const) {
      const { scripts, redeem } = await visitPage(page, {
        ...stage,
        redeems: true,
        usdcCents: way === 'withUsdc' ? 400 : 0,
      })
      if (redeem === undefined) throw new Error('The page redeemed nothing.')
      progress(`${page.entry} ${way}: ${Math.round(redeem.msToPrompt)} ms to the prompt`)
      paid[way].push({ scripts, redeem })
    }
  return paid
}

/** What comes on top of wagmi: to show the page, and until something is paid. */
function sizeRows(
  name: string,
  measured: { page: BuiltPage; withUsdc: readonly Redeemed[]; wagmiOnly: number },
): Row[] {
  const { page, withUsdc, wagmiOnly } = measured
  const of = (part: keyof Visit['scripts']) => [...new Set(withUsdc.flatMap(({ scripts }) => scripts[part]))]
  const [first, later] = [of('first'), of('later')]
  const row = (what: string, bytes: number, goal: number | null): Row => ({
    figure: `shop: ${name}, ${what}`,
    value: kB(bytes),
    goal,
    better: 'lower',
    unit: 'kB',
  })
  return [
    row('all that a redeem loads over wagmi alone', weigh(page, [...first, ...later]) - wagmiOnly, 20),
    row('of it before the wallet is connected', weigh(page, first) - wagmiOnly, null),
    row('of it later', weigh(page, later), null),
  ]
}

function redeemRows(withCredits: readonly Redeemed[], withUsdc: readonly Redeemed[]): Row[] {
  const all = [...withCredits, ...withUsdc]
  const most = (visited: readonly Redeemed[], of: (redeem: Redeemed['redeem']) => number) =>
    Math.max(...visited.map(({ redeem }) => of(redeem)))
  const row = (what: string, value: number, goal: number | null, unit: string): Row => ({
    figure: `shop: ${what}`,
    value,
    goal,
    better: 'lower',
    unit,
  })
  return [
    row(
      'prompts of the wallet, credits',
      most(withCredits, ({ prompts }) => prompts),
      1,
      '',
    ),
    row(
      'prompts of the wallet, credits and USDC',
      most(withUsdc, ({ prompts }) => prompts),
      2,
      '',
    ),
    row(
      'requests to the service before the receipt',
      most(all, ({ serviceRequests }) => serviceRequests),
      2,
      '',
    ),
    row(
      'requests between click and prompt',
      most(all, ({ requestsToPrompt }) => requestsToPrompt),
      0,
      '',
    ),
    row('from the click to the prompt, p50', median(all.map(({ redeem }) => redeem.msToPrompt)), 30, 'ms'),
    row(
      "of it in the wallet's own answers, p50",
      median(all.map(({ redeem }) => redeem.msOfWallet)),
      null,
      'ms',
    ),
  ]
}

/** What a dApp writes: the file with the button, without blank lines. */
async function linesRow(): Promise<Row> {
  const code = await readFile(new URL('../shop/RedeemButton.tsx', import.meta.url), 'utf8')
  const value = code.split('\n').filter((line) => line.trim() !== '').length
  return {
    figure: 'shop: lines of a redeem button with all states',
    value,
    goal: 25,
    better: 'lower',
    unit: '',
  }
}

const kB = (bytes: number) => Math.round(bytes / 10) / 100

const median = (values: readonly number[]) =>
  Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN)
