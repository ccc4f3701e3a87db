import type { RedeemButtonStep } from 'redeemkit/wagmi'
import { payWith } from '../redeem-with-wagmi/index.ts'
import { config, kit } from './config.ts'
import { showWallets } from './showWallets.ts'

const labels: Partial<Record<RedeemButtonStep, string>> = {
  notConnected: 'Connect a wallet first',
  wrongChain: 'Switch the network',
  failed: 'Try again',
  ready: 'Pay 10 USD',
  open: 'Resume your payment',
  signingPermit: 'Sign in your wallet',
  secondClick: 'One more signature',
  signingUsdc: 'Sign once more in your wallet',
  done: 'Paid',
}

const part = <element extends HTMLElement>(id: string) => document.getElementById(id) as element // in index.html
const button = part<HTMLButtonElement>('pay')

showWallets(part('wallets'), config)
payWith(button, {
  config,
  kit,
  orderId: part('order').dataset.id ?? '', // your server writes it into the page
  show: ({ step, signing, userMessage }) => {
    button.textContent = labels[step] ?? 'One moment …'
    part('signing').textContent = signing?.text ?? ''
    part('problem').textContent = userMessage ?? ''
  },
})
