import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Approval, Settings } from '../messages.ts'
import { fakeWorker, state } from './fakeWorker.fixture.ts'
import * as requests from './requests.fixture.ts'
import { ApprovalWindow, PopupWindow, SettingsWindow } from './windows.tsx'

/** A page for tests, which shows the window that the URL selects, such as `#purchase,pt-BR`, with a fake worker. */
const [name = '', language = 'en'] = location.hash.slice(1).split(',')
const settings = { ...state.settings, language: language as Settings['language'] } // the tests' own
const used = { ...state, settings }
const { account, chainId, now } = requests
Date.now = () => now

const asks = (...approvals: readonly Approval[]) => (
  <ApprovalWindow worker={fakeWorker({ state: used, approvals })} />
)
const locked = { ...used, vault: 'locked', accounts: [], waiting: 2 } as const
const empty = { ...used, vault: 'none', accounts: [] } as const

const [first, ...others] = used.accounts
const name40 = 'W'.repeat(40)
const long = {
  ...used,
  accounts: [{ address: account, from: 'key', ...first, name: name40 }, ...others],
} as const
const rich = [
  { chainId, coin: 10n ** 27n, usdc: 10n ** 18n, credits: [{ pinId: '', name: name40, amount: 10n ** 17n }] },
]

const windows: Readonly<Record<string, () => ReactNode>> = {
  welcome: () => <PopupWindow worker={fakeWorker({ state: empty })} />,
  setup: () => <SettingsWindow worker={fakeWorker({ state: empty })} />,
  unlock: () => <ApprovalWindow worker={fakeWorker({ state: locked })} />,
  home: () => <PopupWindow worker={fakeWorker({ state: used })} />,
  unused: () => <PopupWindow worker={fakeWorker({ state: used, balances: [], redeems: [], sites: [] })} />,
  long: () => <PopupWindow worker={fakeWorker({ state: long, balances: rich })} />,
  longConnect: () => <ApprovalWindow worker={fakeWorker({ state: long, approvals: [requests.connect] })} />,
  longShop: () => asks({ ...requests.purchase, pinNames: ['Lampfall', name40] }),
  settings: () => <SettingsWindow worker={fakeWorker({ state: used })} />,
  purchase: () => asks(requests.purchase),
  unseenPurchase: () => asks(requests.unseenPurchase),
  otherContract: () => asks(requests.otherContract),
  text: () => asks(requests.text),
  transfer: () => asks(requests.transfer),
  approval: () => asks(requests.approval),
  calls: () => asks(requests.calls),
  connect: () => asks(requests.connect),
  link: () => asks(requests.link),
  flood: () => asks(...requests.flood),
}

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(windows[name]?.())
