// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BoundedCall} from "./BoundedCall.sol";
import {CustomerExit} from "./CustomerExit.sol";
import {ICredits} from "./ICredits.sol";
import {IUsdc} from "./IUsdc.sol";
import {Ledger} from "./Ledger.sol";
import {Permits} from "./Permits.sol";
import {InitialRoles} from "./InitialRoles.sol";
import {Setup} from "./Roles.sol";
import {Settlements} from "./Settlements.sol";
import {UsdcCollection} from "./UsdcCollection.sol";
import {Whitelist} from "./Whitelist.sol";
import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";

/// @title Credits
/// @notice See `ICredits`.
/// @dev Puts the parts together: permit, books, the customer's USDC, settlement. Each is an abstract contract of its own.
contract Credits is UsdcCollection, Settlements, CustomerExit {
    uint256 private constant MAX_BATCH_REASON = 256;
    /// @dev What a batch keeps back for noting a failed item.
    uint256 private constant BATCH_RESERVE = 20_000;
    /// @dev And what it keeps back for each item's part of the answer: 2048.
    uint256 private constant ANSWER_RESERVE_BITS = 11;

    /// @param usdc_ the settlement token, 6 decimals
    /// @param admin first holder of the admin role
    /// @param adminDelay seconds that a hand-over of the admin role takes
    /// @param feeRecipient_ receives the gas fees
    /// @param signatureVerifier_ the chain's own signature verifier; zero for none
    /// @param setup what else holds from the beginning: all empty, and the admin sets it later
    constructor(
        IUsdc usdc_,
        address admin,
        uint48 adminDelay,
        address feeRecipient_,
        address signatureVerifier_,
        Setup memory setup
    )
        AccessControlDefaultAdminRules(adminDelay, admin)
        InitialRoles(setup.grants)
        Ledger(usdc_, feeRecipient_)
        Permits(signatureVerifier_)
        Whitelist(setup.bridgeAdapter, setup.ownContracts)
    {}

    /// @inheritdoc ICredits
    function redeem(RedeemRequest calldata request) external nonReentrant whenNotPaused {
        _redeem(request, msg.sender);
    }

    /// @inheritdoc ICredits
    function redeemBatch(bytes[] calldata requests, uint256[] calldata gasLimits)
        external
        nonReentrant
        whenNotPaused
        returns (BatchResult[] memory results)
    {
        uint256 length = requests.length;
        if (length != gasLimits.length) revert BatchLengthMismatch(length, gasLimits.length);
        results = new BatchResult[](length);
        uint256 reserve = BATCH_RESERVE + (length << ANSWER_RESERVE_BITS);
        for (uint256 i = 0; i < length; ++i) {
            bytes memory data = _itemCall(requests[i]);
            _requireGas(gasLimits[i], reserve);
            (results[i].success,,) = BoundedCall.call(address(this), 0, gasLimits[i], data);
            if (!results[i].success) {
                results[i].reason = BoundedCall.answer(MAX_BATCH_REASON);
                emit BatchItemFailed(i, results[i].reason);
            }
        }
    }

    /// @notice One item of a batch. Only this contract may call it.
    /// @param relayer who sent the batch
    function redeemItem(address relayer, RedeemRequest calldata request) external {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        _redeem(request, relayer);
    }

    /// @inheritdoc Settlements
    function supportsInterface(bytes4 interfaceId)
        public
        view
        override(AccessControlDefaultAdminRules, Settlements)
        returns (bool)
    {
        return super.supportsInterface(interfaceId);
    }

    /// @dev An item is `abi.encode(request)`: an offset, then the request. It goes on as it is, so that only its own call
    /// reads it, and fails when it is malformed.
    function _itemCall(bytes calldata item) private view returns (bytes memory) {
        bytes calldata request = item.length < 32 ? item : item[32:];
        return bytes.concat(abi.encodeWithSelector(this.redeemItem.selector, msg.sender, 64), request);
    }

    function _redeem(RedeemRequest calldata request, address relayer) private {
        Permit calldata permit = request.permit;
        Intent calldata intent = request.intent;
        Settlement calldata settlement = request.settlement;
        uint256 gasFee = request.gasFee;
        string calldata creditSeed = permit.creditSeed;
        bytes32 creditSeedHash = keccak256(bytes(creditSeed));

        uint256 charged = _requireAmounts(permit, intent, gasFee);
        if (gasFee != 0 && !hasRole(OPERATOR_ROLE, relayer)) revert GasFeeNotAllowed(relayer, gasFee);
        _requireIntent(permit, intent, settlement, creditSeedHash, relayer);
        _requirePermit(permit, creditSeedHash);

        _useNonce(permit.customerWallet, permit.nonce, intent.usdcAmount == 0 ? REDEEMED : REDEEMED | USDC_COLLECTED);
        _charge(creditSeed, creditSeedHash, permit.customerWallet, charged, gasFee);

        _collectUsdc(permit, intent.usdcAmount, request.usdcAuthorization);
        uint256 refunded = _settle(permit, intent.amount, settlement, creditSeedHash);

        emit Redeemed(
            permit.customerWallet,
            permit.nonce,
            creditSeedHash,
            settlement.kind,
            settlement.target,
            intent.amount,
            intent.usdcAmount,
            charged,
            refunded,
            gasFee
        );
    }

    function _requireAmounts(Permit calldata permit, Intent calldata intent, uint256 gasFee)
        private
        pure
        returns (uint256 charged)
    {
        if (intent.amount == 0) revert ZeroAmount();
        if (intent.usdcAmount > intent.amount) revert UsdcAmountExceedsAmount(intent.usdcAmount, intent.amount);
        unchecked {
            charged = intent.amount - intent.usdcAmount + gasFee;
            // A sum above 2^256 is more than anybody has.
            if (charged < gasFee) charged = type(uint256).max;
        }
        if (charged > permit.amount) revert ExceedsAuthorized(charged, permit.amount);
    }
}
