import {
  AskError,
  type AskFailure,
  type RedeemEntry,
  type RequestName,
  type Requests,
  type WalletState,
} from '../messages.ts'
import { account, chainId, lampfall, now, otherAccount, purchase } from './requests.fixture.ts'
import type { Worker } from './useWorker.tsx'

type Answers = {
  [name in RequestName]:
    | Requests[name]['answer']
    | ((ask: Requests[name]['ask']) => Requests[name]['answer'] | Promise<Requests[name]['answer']>)
}

export const state: WalletState = {
  vault: 'unlocked',
  accounts: [
    { address: account, name: 'Everyday', from: 'phrase' },
    { address: otherAccount, name: 'Savings', from: 'key' },
  ],
  selected: account,
  networks: [
    {
      chainId,
      name: 'Base Sepolia',
      blockchain: 'base',
      environment: 'sandbox',
      rpcUrl: 'https://rpc.example',
      coin: 'ETH',
    },
    {
      chainId: 80002,
      name: 'Polygon Amoy',
      blockchain: 'polygon',
      environment: 'sandbox',
      rpcUrl: undefined,
      coin: 'POL',
    },
    {
      chainId: 42431,
      name: 'Tempo Testnet',
      blockchain: 'tempo',
      environment: 'sandbox',
      rpcUrl: 'http://127.0.0.1:8545',
      coin: undefined,
    },
  ],
  waiting: 0,
  settings: { lockAfterMinutes: 15, language: 'en', theme: undefined },
}

const redeem = (id: string, changes: Partial<RedeemEntry>): RedeemEntry => ({
  id,
  account,
  chainId,
  asker: { kind: 'site', origin: 'https://lampfall.shop' },
  signedAt: now - 86_400_000,
  validBefore: BigInt(now / 1_000 + 480),
  inspection: purchase.inspection,
  outcome: 'redeemed',
  hash: `0x${'ab'.repeat(32)}`,
  explorerUrl: `https://sepolia.basescan.org/tx/0x${'ab'.repeat(32)}`,
  ...changes,
})

const usual: Answers = {
  state,
  createVault: undefined,
  unlock: undefined,
  lock: undefined,
  eraseVault: undefined,
  importSecret: state.accounts[1] as WalletState['accounts'][number], // There are two accounts.
  addAccount: state.accounts[1] as WalletState['accounts'][number], // as above
  renameAccount: undefined,
  selectAccount: undefined,
  approvals: [],
  approve: undefined,
  reject: undefined,
  closeEmpty: undefined,
  sites: [
    {
      origin: 'https://lampfall.shop',
      accounts: [account, otherAccount],
      chainId,
      lastUsedAt: now,
    },
    {
      origin: 'https://xn--mller-kva.example',
      accounts: [account],
      chainId: 42431,
      lastUsedAt: now - 3e8,
    },
  ],
  setSiteAccounts: undefined,
  balances: [
    {
      chainId,
      coin: 41_870_000_000_000_000n,
      usdc: 318_400_000n,
      credits: [{ pinId: 'lampfall', name: 'Lampfall', amount: 42_150_000n }],
    },
    {
      chainId: 42431,
      coin: undefined,
      usdc: undefined,
      credits: [{ pinId: 'other', name: 'Nachtfalter', amount: undefined }],
    },
  ],
  redeems: [
    redeem('1', { outcome: 'open', hash: undefined, explorerUrl: undefined, signedAt: now - 120_000 }),
    redeem('2', {}),
    redeem('3', { outcome: 'cancelled', asker: { kind: 'wallet' }, signedAt: now - 2e8 }),
  ],
  refreshRedeems: undefined,
  cancelPermit: { approvalId: 'cancel' },
  readPaymentLink: {
    merchantId: lampfall.merchantId,
    pinName: lampfall.name,
    chainId,
    to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    toName: undefined,
    isNewReceiver: true,
    cents: 1000,
    usdcCents: 400,
    purchaseId: 'bill 2047',
  },
  payLink: { approvalId: 'link' },
  pins: [lampfall],
  savePin: lampfall,
  removePin: undefined,
  names: { [lampfall.receivers[0] ?? account]: 'Lampfall’s till' },
  saveName: undefined,
  saveSettings: undefined,
  setNode: undefined,
}

export type FakeWorker = Worker & {
  asked: { name: RequestName; ask: unknown }[]
  /** Changes answers, and notifies the windows. */
  change: (answers: Partial<Answers>) => void
  closed: () => number
}

export function fakeWorker(changes: Partial<Answers> = {}): FakeWorker {
  let answers = { ...usual, ...changes }
  let closings = 0
  const asked: FakeWorker['asked'] = []
  const listeners = new Set<() => void>()
  return {
    asked,
    change: (changed) => {
      answers = { ...answers, ...changed }
      for (const listener of listeners) listener()
    },
    closed: () => closings,
    ask: async <name extends RequestName>(name: name, ask: Requests[name]['ask']) => {
      asked.push({ name, ask })
      // The compiler does not see that `Answers` has both types under this generic name.
      const answer = answers[name] as Requests[name]['answer'] | ((ask: unknown) => Requests[name]['answer'])
      return typeof answer === 'function' ? answer(ask) : answer
    },
    onChanged: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    openSettings: () => {},
    closeWindow: async () => {
      closings += 1
    },
    allowNode: async () => true,
  }
}

export const failing = (code: AskFailure['code'], field?: string) => () => {
  throw new AskError(code, 'Failed.', field)
}
