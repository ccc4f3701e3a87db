// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Functions that a settlement may not call
/// @dev PROTOCOL.md 6.3. The caller of a settlement holds other people's money and, for a moment, tokens.
library ForbiddenCalls {
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    /// @dev Whatever a whitelist says: functions that hand out rights over a caller's tokens, or move them.
    function contains(bytes4 selector) internal pure returns (bool) {
        return _grantsRights(selector) || _movesTokens(selector);
    }

    /// @dev Functions whose data holds further calls: the first four bytes do not say what is called, so an entry for any
    /// selector does not cover them. An entry of their own does.
    function isBundle(bytes4 selector) internal pure returns (bool) {
        return _isMulticall(selector) || _isExecute(selector);
    }

    function _grantsRights(bytes4 selector) private pure returns (bool) {
        return selector == 0x095ea7b3 // approve(address,uint256)
            || selector == 0x39509351 // increaseAllowance(address,uint256)
            || selector == 0xa457c2d7 // decreaseAllowance(address,uint256)
            || selector == 0xa22cb465 // setApprovalForAll(address,bool)
            || selector == 0xd505accf // permit(address,address,uint256,uint256,uint8,bytes32,bytes32)
            || selector == 0x9fd5a6cf // permit(address,address,uint256,uint256,bytes)
            || selector == 0x8fcbaf0c; // permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)
    }

    function _movesTokens(bytes4 selector) private pure returns (bool) {
        return selector == 0xa9059cbb // transfer(address,uint256)
            || selector == 0x23b872dd // transferFrom(address,address,uint256)
            || selector == 0x42842e0e // safeTransferFrom(address,address,uint256)
            || selector == 0xb88d4fde // safeTransferFrom(address,address,uint256,bytes)
            || selector == 0xf242432a // safeTransferFrom(address,address,uint256,uint256,bytes)
            || selector == 0x2eb2c2d6; // safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)
    }

    /// @dev The contract calls itself, or whatever the data names, several times.
    function _isMulticall(bytes4 selector) private pure returns (bool) {
        return selector == 0xac9650d8 // multicall(bytes[])
            || selector == 0x5ae401dc // multicall(uint256,bytes[]): a deadline
            || selector == 0x1f0464d1 // multicall(bytes32,bytes[]): the former block's hash
            || selector == 0x1e897afb // batch(bytes[])
            || selector == 0xd2423b51 // batch(bytes[],bool)
            || selector == 0x252dba42 // aggregate((address,bytes)[])
            || selector == 0x82ad56cb // aggregate3((address,bool,bytes)[])
            || selector == 0x174dea71 // aggregate3Value((address,bool,uint256,bytes)[])
            || selector == 0xbce38bd7 // tryAggregate(bool,(address,bytes)[])
            || selector == 0xc3077fa9 // blockAndAggregate((address,bytes)[])
            || selector == 0x399542e9 // tryBlockAndAggregate(bool,(address,bytes)[])
            || selector == 0x8d80ff0a; // multiSend(bytes)
    }

    /// @dev Accounts and routers: they call what the data names.
    function _isExecute(bytes4 selector) private pure returns (bool) {
        return selector == 0xb61d27f6 // execute(address,uint256,bytes)
            || selector == 0x51945447 // execute(address,uint256,bytes,uint8)
            || selector == 0x1cff79cd // execute(address,bytes): delegates
            || selector == 0xe9ae5c53 // execute(bytes32,bytes): ERC-7579 and ERC-7821
            || selector == 0x24856bc3 // execute(bytes,bytes[]): a router's commands
            || selector == 0x3593564c // execute(bytes,bytes[],uint256): the same with a deadline
            || selector == 0x3f707e6b // execute((address,uint256,bytes)[])
            || selector == 0x18dfb3c7 // executeBatch(address[],bytes[])
            || selector == 0x47e1da2a // executeBatch(address[],uint256[],bytes[])
            || selector == 0x34fcd5be // executeBatch((address,uint256,bytes)[])
            || selector == 0x6a761202; // execTransaction(address,uint256,bytes,uint8,uint256,…): a multisig's
    }
}
