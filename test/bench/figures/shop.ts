import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { openChromium } from '../../browser/openChromium.ts'
import { type Figure, medianOf, type Row } from '../figure.ts'
import { startSeller } from '../peers/startSeller.ts'
import { type BuiltPage, buildPage, type usdcParts, type Visit, visitPage, weigh } from '../shop/benchPage.ts'

/** For each payment method. The time to the prompt is their median. */
const visits = 7

type Way = keyof typeof usdcParts

type Contender = { name: string; page: string; code?: string; ways: readonly Way[] }

const both = ['credits', 'credits and USDC'] as const
const contenders: readonly Contender[] = [
  { name: 'hooks', page: 'shop/hooksPage.tsx', code: 'shop/RedeemButton.tsx', ways: both },
  { name: 'functions', page: 'shop/functionsPage.tsx', ways: both },
  { name: 'by hand', page: 'shop/handWrittenPage.tsx', ways: both },
  { name: 'x402', page: 'peers/x402Page.jsx', ways: ['USDC'] },
  { name: 'Base Pay', page: 'peers/basePayPage.jsx', ways: [] },
]

export const shop: Figure = {
  name: 'shop',
  about:
    'a page that pays in Chromium: with the hooks, with the functions, by hand with viem, with x402, and with the button of Base Pay (weighed only: its wallet is on the internet)',
  measure: async (progress) => {
    installPeers()
    const sandbox = await startSandbox({ bridge: false })
    const { base } = sandbox.chains
    if (base === undefined) throw new Error('The sandbox started without its chain.')
    const seller = await startSeller(sandbox, base)
    const browser = await openChromium()
    const visit = (page: BuiltPage, pays?: Way) =>
      visitPage(page, { sandbox, browser, sellerUrl: seller.url, ...(pays && { pays }) })
    try {
      const alone = await buildPage('shop/wagmiPage.tsx')
      const { scripts } = await visit(alone)
      const wagmiOnly = weigh(alone, [...scripts.first, ...scripts.later])
      progress(`wagmi, React and TanStack Query alone: ${kB(wagmiOnly)} kB`)
      const races = await Promise.all(
        contenders.map(async (contender) => ({ contender, page: await buildPage(contender.page) })),
      )
      const measured = new Map<string, Measured>()
      for (const { contender, page } of races)
        measured.set(contender.name, { page, shown: await visit(page), paid: new Map() })
      for (let turn = 1; turn <= visits; turn++) {
        progress(`visits ${turn} of ${visits}`)
        for (const { contender, page } of races)
          for (const way of contender.ways) {
            const paid = measured.get(contender.name)?.paid
            paid?.set(way, [...(paid.get(way) ?? []), await visit(page, way)])
          }
      }
      const rows: Row[] = []
      for (const contender of contenders) {
        const result = measured.get(contender.name)
        if (result !== undefined)
          rows.push(...rowsOf(contender, result, wagmiOnly), await linesRow(contender))
      }
      return rows
    } finally {
      await browser.close()
      seller.close()
      await sandbox.stop()
    }
  },
}

type Measured = { page: BuiltPage; shown: Visit; paid: Map<Way, Visit[]> }

/** redeemkit's installation does not include the packages of other projects. */
function installPeers(): void {
  const cwd = fileURLToPath(new URL('../peers', import.meta.url))
  const { status, stderr } = spawnSync('npm', ['ci', '--prefer-offline'], { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Cannot install the packages of other projects:\n${stderr}`)
}

function rowsOf({ name }: Contender, { page, shown, paid }: Measured, wagmiOnly: number): Row[] {
  const row = (what: string, value: number, unit: string, goal: number | null = null): Row => ({
    figure: `shop: ${name}, ${what}`,
    value,
    goal,
    better: 'lower',
    unit,
  })
  const ours = name === 'hooks'
  const all = [...paid.values()].flat()
  const scripts = [shown, ...all].map((visit) => visit.scripts)
  const first = new Set(scripts.flatMap((of) => of.first))
  const loaded = new Set([...first, ...scripts.flatMap((of) => of.later)])
  const rows = [
    row(
      'loaded over wagmi before a wallet is connected',
      kB(weigh(page, first) - wagmiOnly),
      'kB',
      ours ? 25 : null,
    ),
    row('loaded over wagmi in all', kB(weigh(page, loaded) - wagmiOnly), 'kB', ours ? 45 : null),
  ]
  for (const [way, visited] of paid) {
    const redeems = visited.flatMap(({ redeem }) => (redeem === undefined ? [] : [redeem]))
    const most = (of: (redeem: (typeof redeems)[number]) => number) => Math.max(...redeems.map(of))
    rows.push(
      row(
        `${way}: prompts`,
        most(({ prompts }) => prompts),
        '',
        ours ? (way === 'credits' ? 1 : 2) : null,
      ),
      row(
        `${way}: requests between click and prompt`,
        most(({ requestsToPrompt }) => requestsToPrompt),
        '',
        ours ? 0 : null,
      ),
      row(
        `${way}: requests to the service until it is paid`,
        most(({ serviceRequests }) => serviceRequests),
        '',
        ours ? 2 : null,
      ),
      row(
        `${way}: click to prompt, p50`,
        Math.round(medianOf(redeems.map((redeem) => redeem.msToPrompt)).value),
        'ms',
        ours ? 30 : null,
      ),
      row(
        `${way}: of it in the wallet, p50`,
        Math.round(medianOf(redeems.map((redeem) => redeem.msOfWallet)).value),
        'ms',
      ),
    )
  }
  return rows
}

async function linesRow({ name, page, code = page }: Contender): Promise<Row> {
  const text = await readFile(new URL(`../${code}`, import.meta.url), 'utf8')
  return {
    figure: `shop: ${name}, lines of the button`,
    value: text.split('\n').filter((line) => line.trim() !== '').length,
    goal: name === 'hooks' ? 25 : null,
    better: 'lower',
    unit: '',
  }
}

const kB = (bytes: number) => Math.round(bytes / 10) / 100
