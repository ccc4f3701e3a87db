import { forkRedeemTests } from './redeemCases.ts'

forkRedeemTests('quick')
