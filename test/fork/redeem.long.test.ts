import { forkRedeemTests } from './redeemCases.ts'

forkRedeemTests('long')
