// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC6909} from "@openzeppelin/contracts/interfaces/IERC6909.sol";
import {IERC777} from "@openzeppelin/contracts/interfaces/IERC777.sol";
import {IERC1155} from "@openzeppelin/contracts/token/ERC1155/IERC1155.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @title Functions that a settlement may not call
/// @dev PROTOCOL.md 6.3. The caller is the credits contract, which holds all customers' money and, during a redeem, their tokens.
library ForbiddenCalls {
    address internal constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    /// @dev Functions that move the caller's tokens or grant rights over them. No whitelist entry can allow them.
    function contains(bytes4 selector) internal pure returns (bool) {
        return _grantsRights(selector) || _movesTokens(selector);
    }

    /// @dev Functions whose data contains further calls. Their selector does not identify those calls, so each function
    /// needs its own whitelist entry. An entry for any selector does not cover them.
    function isBundle(bytes4 selector) internal pure returns (bool) {
        return _isMulticall(selector) || _isExecute(selector);
    }

    /// @dev Signatures are written as text where OpenZeppelin has no interface, or where the function is overloaded.
    function _grantsRights(bytes4 selector) private pure returns (bool) {
        // ERC-20 and ERC-721 have the same `approve`. Early ERC-20 tokens have `increaseApproval` instead of `increaseAllowance`.
        return selector == IERC20.approve.selector
            || selector == bytes4(keccak256("increaseAllowance(address,uint256)"))
            || selector == bytes4(keccak256("decreaseAllowance(address,uint256)"))
            || selector == bytes4(keccak256("increaseApproval(address,uint256)"))
            || selector == bytes4(keccak256("decreaseApproval(address,uint256)"))
            // `setApprovalForAll` of ERC-721 and ERC-1155.
            || selector == IERC1155.setApprovalForAll.selector || selector == IERC777.authorizeOperator.selector
            || selector == IERC6909.approve.selector || selector == IERC6909.setOperator.selector
            // ERC-1363's approvals.
            || selector == bytes4(keccak256("approveAndCall(address,uint256)"))
            || selector == bytes4(keccak256("approveAndCall(address,uint256,bytes)"))
            // Permits: ERC-2612's, USDC's with bytes, DAI's, ERC-4494's with bytes, and Uniswap's for positions.
            || selector == IERC20Permit.permit.selector
            || selector == bytes4(keccak256("permit(address,address,uint256,uint256,bytes)"))
            || selector == bytes4(keccak256("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)"))
            || selector == bytes4(keccak256("permit(address,uint256,uint256,bytes)"))
            || selector == bytes4(keccak256("permit(address,uint256,uint256,uint8,bytes32,bytes32)"));
    }

    function _movesTokens(bytes4 selector) private pure returns (bool) {
        return selector == IERC20.transfer.selector || selector == IERC20.transferFrom.selector
            // ERC-721's two overloads of `safeTransferFrom`.
            || selector == bytes4(keccak256("safeTransferFrom(address,address,uint256)"))
            || selector == bytes4(keccak256("safeTransferFrom(address,address,uint256,bytes)"))
            || selector == IERC1155.safeTransferFrom.selector || selector == IERC1155.safeBatchTransferFrom.selector
            || selector == IERC6909.transfer.selector || selector == IERC6909.transferFrom.selector
            || selector == IERC777.send.selector || selector == IERC777.operatorSend.selector
            // ERC-1363's transfers.
            || selector == bytes4(keccak256("transferAndCall(address,uint256)"))
            || selector == bytes4(keccak256("transferAndCall(address,uint256,bytes)"))
            || selector == bytes4(keccak256("transferFromAndCall(address,address,uint256)"))
            || selector == bytes4(keccak256("transferFromAndCall(address,address,uint256,bytes)"));
    }

    /// @dev Functions that make several calls, to their own contract or to contracts named in the data.
    function _isMulticall(bytes4 selector) private pure returns (bool) {
        return selector == 0xac9650d8 // multicall(bytes[])
            || selector == 0x5ae401dc // multicall(uint256,bytes[]): with a deadline
            || selector == 0x1f0464d1 // multicall(bytes32,bytes[]): with the previous block's hash
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

    /// @dev Functions of accounts and routers that call contracts named in the data.
    function _isExecute(bytes4 selector) private pure returns (bool) {
        return selector == 0xb61d27f6 // execute(address,uint256,bytes)
            || selector == 0x51945447 // execute(address,uint256,bytes,uint8)
            || selector == 0x1cff79cd // execute(address,bytes): a delegatecall
            || selector == 0xe9ae5c53 // execute(bytes32,bytes): ERC-7579 and ERC-7821
            || selector == 0x24856bc3 // execute(bytes,bytes[]): commands of a router
            || selector == 0x3593564c // execute(bytes,bytes[],uint256): commands of a router, with a deadline
            || selector == 0x3f707e6b // execute((address,uint256,bytes)[])
            || selector == 0x18dfb3c7 // executeBatch(address[],bytes[])
            || selector == 0x47e1da2a // executeBatch(address[],uint256[],bytes[])
            || selector == 0x34fcd5be // executeBatch((address,uint256,bytes)[])
            || selector == 0x6a761202; // execTransaction(address,uint256,bytes,uint8,uint256,…): of a multisig
    }
}
