import { openWindow } from './openWindow.tsx'
import { ApprovalWindow } from './windows.tsx'

openWindow((worker) => <ApprovalWindow worker={worker} />)
