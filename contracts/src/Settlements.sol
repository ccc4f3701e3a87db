// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BoundedCall} from "./BoundedCall.sol";
import {IBridgeAdapter} from "./IBridgeAdapter.sol";
import {ICredits} from "./ICredits.sol";
import {IUsdc} from "./IUsdc.sol";
import {RedeemHash} from "./RedeemHash.sol";
import {TokenReceiver} from "./TokenReceiver.sol";
import {Whitelist} from "./Whitelist.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @title The six shapes
/// @dev PROTOCOL.md 6.2.
abstract contract Settlements is Whitelist, TokenReceiver {
    using SafeERC20 for IERC20;
    using SafeERC20 for IUsdc;

    /// @inheritdoc ICredits
    function rescueToken(address nftContract, uint256 nftId, address to)
        external
        virtual
        nonReentrant
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        _requireNotForbidden(nftContract);
        emit TokenRescued(nftContract, nftId, to);
        _forward721(nftContract, nftId, to);
    }

    /// @inheritdoc ICredits
    function rescueErc20(IERC20 token, uint256 amount, address to)
        external
        virtual
        nonReentrant
        onlyRole(DEFAULT_ADMIN_ROLE)
    {
        _requireNotForbidden(address(token));
        emit TokenRescued(address(token), amount, to);
        token.safeTransfer(to, amount);
    }

    /// @notice A merchant's call of kind `Returned`, in a frame of its own, so that it can be undone. Only this contract may call it.
    /// @dev Keeps what the call did when a hook announced the token. Else it is undone, and 32 bytes of revert data are the id.
    /// @param target the merchant
    /// @param data of the call
    /// @param minimumGas that the call must be given
    /// @return nftId what the call returned
    function callReturned(address target, bytes calldata data, uint256 minimumGas) external returns (uint256 nftId) {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        uint256 size;
        (nftId, size) = _callTarget(target, data, minimumGas);
        if (size < 32) revert TokenIdNotReturned(size);
        if (_arrivedCount() == 0) {
            assembly ("memory-safe") {
                mstore(0x00, nftId)
                revert(0x00, 0x20)
            }
        }
    }

    /// @inheritdoc ICredits
    function hashSettlement(Settlement calldata settlement) external view returns (bytes32) {
        return _settlementHash(settlement);
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId)
        public
        view
        virtual
        override(AccessControlDefaultAdminRules, IERC165)
        returns (bool)
    {
        return interfaceId == type(IERC1155Receiver).interfaceId || super.supportsInterface(interfaceId);
    }

    /// @dev With the current bridge adapter, so that a permit signed for another one matches no longer.
    function _settlementHash(Settlement calldata settlement) internal view returns (bytes32) {
        return RedeemHash.settlement(settlement, settlement.kind == Kind.Decent ? bridgeAdapter : address(0));
    }

    /// @return refunded what the settlement left of `amount`
    function _settle(Permit calldata permit, uint256 amount, Settlement calldata settlement, bytes32 creditSeedHash)
        internal
        returns (uint256 refunded)
    {
        Kind kind = settlement.kind;
        _requireUnusedZero(kind, settlement);
        if (kind == Kind.Token) {
            _settleToken(settlement.target, amount);
            return 0;
        }
        bytes4 selector = _requireSelector(settlement.data);
        if (kind == Kind.Decent) refunded = _settleDecent(permit, amount, settlement, creditSeedHash, selector);
        else refunded = _settleCall(permit, amount, settlement, creditSeedHash, selector);
        if (refunded != 0) _addCredits(creditSeedHash, permit.customerWallet, refunded);
        // Others than USDC were called.
        _requireSolvent();
    }

    function _requireUnusedZero(Kind kind, Settlement calldata settlement) private pure {
        Bridge calldata bridge = settlement.bridge;
        bool nft = kind == Kind.SafeMint || kind == Kind.Returned || kind == Kind.KnownTokenId;
        if (kind == Kind.Token && settlement.data.length != 0) _revertUnexpectedField(kind, "data");
        if (!nft && settlement.nftContract != address(0)) _revertUnexpectedField(kind, "nftContract");
        if (kind != Kind.KnownTokenId && settlement.nftId != 0) _revertUnexpectedField(kind, "nftId");
        if (kind != Kind.Decent) {
            if (bridge.dstChainId != 0) _revertUnexpectedField(kind, "dstChainId");
            if (bridge.dstToken != address(0)) _revertUnexpectedField(kind, "dstToken");
            if (bridge.isNative) _revertUnexpectedField(kind, "isNative");
            if (bridge.cost != 0) _revertUnexpectedField(kind, "cost");
        } else if (bridge.isNative && bridge.dstToken != address(0)) {
            _revertUnexpectedField(kind, "dstToken");
        }
    }

    /// @dev One copy of what eight checks revert with.
    function _revertUnexpectedField(Kind kind, string memory field) private pure {
        revert UnexpectedField(kind, field);
    }

    function _settleToken(address destination, uint256 amount) internal {
        if (destination == address(0)) revert ZeroAddress("destination");
        _requireNotOwn(destination);
        usdc.safeTransfer(destination, amount);
    }

    function _settleDecent(
        Permit calldata permit,
        uint256 amount,
        Settlement calldata settlement,
        bytes32 creditSeedHash,
        bytes4 selector
    ) private returns (uint256 refunded) {
        Bridge calldata bridge = settlement.bridge;
        address adapter = bridgeAdapter;
        if (adapter == address(0)) revert BridgeAdapterNotSet();
        if (!bridge.isNative && bridge.dstToken == address(0)) revert ZeroAddress("dstToken");
        _requireNotForbidden(settlement.target);
        uint256 minimumGas =
            _requireWhitelisted(permit.creditSeed, creditSeedHash, bridge.dstChainId, settlement.target, selector);

        usdc.forceApprove(adapter, amount);
        IBridgeAdapter(adapter)
            .bridge(
                IBridgeAdapter.Request({
                customer: permit.customerWallet,
                nonce: permit.nonce,
                amount: amount,
                dstChainId: bridge.dstChainId,
                dstToken: bridge.dstToken,
                isNative: bridge.isNative,
                cost: bridge.cost,
                target: settlement.target,
                data: settlement.data,
                minimumGas: minimumGas
            })
            );
        return _takeBackAllowance(adapter);
    }

    function _settleCall(
        Permit calldata permit,
        uint256 amount,
        Settlement calldata settlement,
        bytes32 creditSeedHash,
        bytes4 selector
    ) private returns (uint256 refunded) {
        address target = settlement.target;
        Kind kind = settlement.kind;
        _requireNotForbidden(target);
        if (target.code.length == 0) revert TargetWithoutCode(target);
        uint256 minimumGas = _requireWhitelisted(permit.creditSeed, creditSeedHash, block.chainid, target, selector);
        uint256 balanceBefore = 0;
        if (kind != Kind.Normal) balanceBefore = _prepareNft(permit.creditSeed, settlement, creditSeedHash);

        usdc.forceApprove(target, amount);
        (uint256 word, uint256 size) = balanceBefore == 0
            ? _callTarget(target, settlement.data, minimumGas)
            : _callBesideOlder(settlement, minimumGas);

        refunded = _takeBackAllowance(target);
        address customer = permit.customerWallet;
        if (kind == Kind.Returned) {
            if (size < 32) revert TokenIdNotReturned(size);
            _deliverReturned(settlement.nftContract, word, balanceBefore, customer);
        } else if (kind == Kind.SafeMint) {
            _deliverArrived(settlement.nftContract, customer);
        } else if (kind == Kind.KnownTokenId) {
            _deliverOne(settlement.nftContract, settlement.nftId, _stopAwaiting(), customer);
        }
    }

    function _callTarget(address target, bytes memory data, uint256 minimumGas)
        private
        returns (uint256 word, uint256 size)
    {
        _requireGas(minimumGas, 0);
        bool success;
        (success, word, size) = BoundedCall.call(target, 0, gasleft(), data);
        if (!success) revert CallFailed(target, BoundedCall.answer(MAX_CALL_REASON));
    }

    /// @dev Tokens of the contract lie here already, so that the call could name one of them. It is made, and undone unless a
    /// hook announced a token: then the id is known, nobody has it yet, or it is here, and is refused. Then the call is made again,
    /// and has to return the same id.
    function _callBesideOlder(Settlement calldata settlement, uint256 minimumGas)
        private
        returns (uint256 nftId, uint256 size)
    {
        address target = settlement.target;
        address nftContract = settlement.nftContract;
        bool success;
        (success, nftId, size) = BoundedCall.call(
            address(this), 0, gasleft(), abi.encodeCall(this.callReturned, (target, settlement.data, minimumGas))
        );
        if (success) return (nftId, size);
        bool isNew = size == 32 && !_owns(nftContract, nftId);
        uint256 again;
        (again, size) = _callTarget(target, settlement.data, minimumGas);
        if (size >= 32 && (!isNew || again != nftId)) revert TokenNotReceived(nftContract, again);
    }

    /// @dev The refund is what the call left of its allowance. The balance says nothing: it can grow for other reasons.
    function _takeBackAllowance(address spender) private returns (uint256 left) {
        left = usdc.allowance(address(this), spender);
        if (left != 0) usdc.forceApprove(spender, 0);
    }

    // NFTs

    /// @return balanceBefore how many tokens of the contract are here, for kind `Returned`
    function _prepareNft(string calldata creditSeed, Settlement calldata settlement, bytes32 creditSeedHash)
        private
        returns (uint256 balanceBefore)
    {
        address nftContract = settlement.nftContract;
        if (nftContract == address(0)) revert ZeroAddress("nftContract");
        if (nftContract != settlement.target) {
            _requireNotForbidden(nftContract);
            if (nftContract.code.length == 0) revert TargetWithoutCode(nftContract);
            if (!_isKnown(creditSeedHash, nftContract)) revert NftContractNotWhitelisted(creditSeed, nftContract);
        }
        if (settlement.kind == Kind.Returned) {
            balanceBefore = _nftBalance(nftContract);
        } else if (settlement.kind == Kind.KnownTokenId && _owns(nftContract, settlement.nftId)) {
            revert TokenAlreadyOwned(nftContract, settlement.nftId);
        }
        _awaitTokens(nftContract);
    }

    function _deliverArrived(address nftContract, address customer) private {
        uint256 count = _stopAwaiting();
        if (count == 0) revert NoTokensArrived(nftContract);
        _forwardArrived(nftContract, count, customer);
    }

    /// @dev It arrived by this call: a hook announced it, no token of the contract was here before, or this one was not
    /// (`_callBesideOlder`). And nothing else came.
    function _deliverReturned(address nftContract, uint256 nftId, uint256 balanceBefore, address customer) private {
        uint256 count = _stopAwaiting();
        if (_nftBalance(nftContract) != balanceBefore + 1) revert TokenNotReceived(nftContract, nftId);
        _deliverOne(nftContract, nftId, count, customer);
    }

    /// @dev Hands on one ERC-721 token. Whatever came through a hook must be this one: nothing may stay behind.
    function _deliverOne(address nftContract, uint256 nftId, uint256 count, address customer) private {
        if (!_owns(nftContract, nftId)) revert TokenNotReceived(nftContract, nftId);
        for (uint256 i = 0; i < count; ++i) {
            (uint256 id, uint256 value) = _arrived(i);
            if (id != nftId || value != 0) revert UnexpectedToken(nftContract);
        }
        _forward721(nftContract, nftId, customer);
    }

    function _nftBalance(address nftContract) private view returns (uint256) {
        (bool success, uint256 balance, uint256 size) =
            BoundedCall.readOnly(nftContract, abi.encodeCall(IERC721.balanceOf, (address(this))));
        if (!success || size < 32) revert CallFailed(nftContract, BoundedCall.answer(MAX_CALL_REASON));
        return balance;
    }

    function _owns(address nftContract, uint256 nftId) private view returns (bool) {
        (bool success, uint256 owner, uint256 size) =
            BoundedCall.readOnly(nftContract, abi.encodeCall(IERC721.ownerOf, (nftId)));
        return success && size >= 32 && owner == uint160(address(this));
    }
}
