// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {IEmergencyPause} from "../src/IEmergencyPause.sol";
import {IPaymentSettlement} from "../src/IPaymentSettlement.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {ICustomerEscrow, IPaymentSettlementContract} from "./Deployed.sol";
import {KnownTokenIdMerchant, SafeMintMerchant1155} from "./mocks/HonestMerchants.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {SmartWallet} from "./mocks/Wallets.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @title Mints several tokens in one batch
contract Tokens1155 is ERC1155 {
    constructor() ERC1155("") {}

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata values) external {
        _mintBatch(to, ids, values, "");
    }
}

/// @title A token that moves one raw unit more than the authorization allows
contract OverpayingToken {
    uint256 private _held;

    function receiveWithAuthorization(address, address, uint256 value, uint256, uint256, bytes32, bytes calldata)
        external
    {
        _held += value + 1;
    }

    function balanceOf(address) external view returns (uint256) {
        return _held;
    }
}

contract PaymentSettlementTest is CreditsFixture {
    bytes32 private constant ID = keccak256("payment");
    bytes12 private constant ORDER = 0xcff8661c04b781a2804ce2e8;
    string private constant NOT_SIGNED = "FiatTokenV2: invalid signature";
    /// @dev Answers every call with ERC-1271's magic value: `return(bytes4(0x1626ba7e))`.
    bytes private constant ANY_SIGNATURE = hex"631626ba7e60e01b60005260206000f3";

    IPaymentSettlementContract private payments;
    address private escrow;

    function setUp() public override {
        super.setUp();
        payments = _newPayments();
        _fund(operator, 100 * DOLLAR);
        escrow = payments.escrowOf(customer);
    }

    // Executions

    function test_settle_token() public {
        _settle(_executes(_token(receiver), DOLLAR));
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        _assertPaid(DOLLAR);
    }

    function test_settle_normalMakesCreditsOfWhatWasNotPulled() public {
        uint256 before = _customerCredits();
        vm.expectEmit(address(payments));
        emit IPaymentSettlement.PaymentSettled(
            ID, customer, bytes12(0), IPaymentSettlement.Outcome.Execute, address(0), 5 * DOLLAR, 0, 2 * DOLLAR
        );
        _settle(_executes(_normal(3 * DOLLAR), 5 * DOLLAR));
        vm.assertEq(normalMerchant.paidFor(receiver), 3 * DOLLAR);
        vm.assertEq(_customerCredits() - before, 2 * DOLLAR);
        _assertPaid(5 * DOLLAR);
    }

    function test_settle_safeMintDeliversTheNamedTokens() public {
        IPaymentSettlement.Payment memory payment = _executes(_safeMint(2, DOLLAR), DOLLAR);
        payment.nftIds = _ids(1, 2);
        _settle(payment);
        vm.assertEq(mint721.ownerOf(1), customer);
        vm.assertEq(mint721.ownerOf(2), customer);
        _assertPaid(DOLLAR);
    }

    function test_settle_revertsWhenOtherTokensArrive() public {
        IPaymentSettlement.Payment memory payment = _executes(_safeMint(2, DOLLAR), DOLLAR);
        payment.nftIds = _ids(1);
        _expectSettleReverts(
            payment, abi.encodeWithSelector(IPaymentSettlement.OtherTokensArrived.selector, address(mint721), 2, 1)
        );
        payment.nftIds = _ids(1, 3);
        _expectSettleReverts(payment, abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 3));
    }

    function test_forwardTokens_whatWasNotNamed() public {
        _settle(_executes(_safeMint(1, DOLLAR), DOLLAR));
        vm.assertEq(mint721.ownerOf(1), escrow);
        vm.prank(stranger);
        ICustomerEscrow(escrow).forward(address(mint721), 1);
        vm.assertEq(mint721.ownerOf(1), customer);
    }

    function test_settle_safeMint1155() public {
        ICredits.Settlement memory settlement =
            _call(ICredits.Kind.SafeMint, address(mint1155), abi.encodeCall(SafeMintMerchant1155.mint, (5, 9, DOLLAR)));
        settlement.nftContract = address(mint1155);
        _settle(_executes(settlement, DOLLAR));
        vm.assertEq(mint1155.balanceOf(customer, 5), 9);
        _assertPaid(DOLLAR);
    }

    /// @dev Tokens that the escrow already held do not count.
    function test_settle_ignoresTokensThatTheEscrowHeld() public {
        _settle(_executes(_safeMint(1, DOLLAR), DOLLAR));
        vm.assertEq(mint721.ownerOf(1), escrow);
        IPaymentSettlement.Payment memory payment = _executes(_safeMint(1, DOLLAR), DOLLAR);
        payment.id = keccak256("another");
        payment.nftIds = _ids(2);
        _settle(payment);
        vm.assertEq(mint721.ownerOf(2), customer);
        vm.assertEq(mint721.ownerOf(1), escrow);
    }

    function test_settle_returned() public {
        IPaymentSettlement.Payment memory payment = _executes(_returned(DOLLAR), DOLLAR);
        payment.nftIds = _ids(1);
        _settle(payment);
        vm.assertEq(returnedMerchant.ownerOf(1), customer);
        _assertPaid(DOLLAR);
    }

    function test_settle_knownTokenId() public {
        knownMerchant.list(7, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_known(7), DOLLAR);
        payment.nftIds = _ids(7);
        _settle(payment);
        vm.assertEq(knownMerchant.ownerOf(7), customer);
        _assertPaid(DOLLAR);
    }

    function test_settle_decentIsClaimableForTheCustomer() public {
        _openRoute();
        _settle(_executes(_decent(DOLLAR), DOLLAR));
        vm.assertEq(usdc.balanceOf(address(adapter)), DOLLAR);
        _assertPaid(DOLLAR);
        // The same adapter acts as the destination. The target has no code.
        vm.startPrank(admin);
        adapter.setSource(DST_CHAIN, address(adapter), true);
        adapter.setDailyLimit(address(usdc), DOLLAR);
        vm.stopPrank();
        vm.prank(operator);
        assertFalse(
            adapter.execute(
                IBridgeAdapter.Delivery({
                    srcChainId: DST_CHAIN,
                    srcAdapter: address(adapter),
                    number: 1,
                    customer: escrow,
                    nonce: 0,
                    amount: DOLLAR,
                    token: address(usdc),
                    cost: DOLLAR,
                    target: address(0xDE57),
                    data: hex"01020304",
                    minimumGas: CALL_GAS
                })
            )
        );
        uint256 before = usdc.balanceOf(customer);
        vm.prank(stranger);
        ICustomerEscrow(escrow).claim(adapter, address(usdc));
        vm.assertEq(usdc.balanceOf(customer) - before, DOLLAR);
    }

    function test_settle_revertsWhenNotWhitelisted() public {
        _whitelist(block.chainid, address(normalMerchant), 0, true, false, CALL_GAS);
        ICredits.Settlement memory settlement = _normal(DOLLAR);
        _expectSettleReverts(
            _executes(settlement, DOLLAR),
            abi.encodeWithSelector(
                ICredits.NotWhitelisted.selector, SEED, block.chainid, address(normalMerchant), bytes4(settlement.data)
            )
        );
    }

    function test_settle_revertsWhenUsdcWouldBeLost() public {
        _expectSettleReverts(
            _executes(_token(address(payments)), DOLLAR),
            abi.encodeWithSelector(IPaymentSettlement.ForbiddenTarget.selector, address(payments))
        );
        _expectSettleReverts(
            _executes(_token(escrow), DOLLAR),
            abi.encodeWithSelector(IPaymentSettlement.ForbiddenTarget.selector, escrow)
        );
        address another = payments.deployEscrow(stranger);
        _expectSettleReverts(
            _executes(_token(another), DOLLAR),
            abi.encodeWithSelector(IPaymentSettlement.ForbiddenTarget.selector, another)
        );
    }

    /// @dev USDC paid to this contract would be lost, but a call to it may be whitelisted.
    function test_settle_callsThisContractWhereItIsWhitelisted() public {
        _allow(address(payments));
        _settle(
            _executes(
                _call(ICredits.Kind.Normal, address(payments), abi.encodeCall(payments.deployEscrow, (stranger))),
                DOLLAR
            )
        );
        assertFalse(payments.escrowOf(stranger).code.length == 0);
        _assertPaid(DOLLAR);
    }

    // Credits and USDC

    function test_settle_mintsCredits() public {
        _settle(_pays(IPaymentSettlement.Outcome.MintCredits, receiver, DOLLAR));
        vm.assertEq(credits.creditsOf(SEED, receiver), DOLLAR);
        _assertPaid(DOLLAR);
    }

    function test_settle_paysUsdc() public {
        _settle(_pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR));
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        _assertPaid(DOLLAR);
    }

    function test_settle_revertsWithoutReceiver() public {
        _expectSettleReverts(
            _pays(IPaymentSettlement.Outcome.PayUsdc, address(0), DOLLAR),
            abi.encodeWithSelector(IPaymentSettlement.ZeroAddress.selector, "receiver")
        );
    }

    function test_settle_revertsForNothing() public {
        _expectSettleReverts(
            _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, 0),
            abi.encodeWithSelector(IPaymentSettlement.ZeroAmount.selector)
        );
    }

    /// @dev USDC or credits at these addresses would have no owner.
    function test_settle_revertsForAReceiverThatWouldLoseIt() public {
        address[7] memory refused = [
            address(payments),
            address(credits),
            address(usdc),
            escrow,
            payments.deployEscrow(stranger),
            address(adapter),
            credits.extension()
        ];
        for (uint256 i = 0; i < refused.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(IPaymentSettlement.ForbiddenTarget.selector, refused[i]);
            _expectSettleReverts(_pays(IPaymentSettlement.Outcome.PayUsdc, refused[i], DOLLAR), reason);
            _expectSettleReverts(_pays(IPaymentSettlement.Outcome.MintCredits, refused[i], DOLLAR), reason);
        }
    }

    /// @dev Credits that an escrow already held go to its customer with the next refund, but are not reported as refund.
    function test_settle_reportsTheRefundOfThisPaymentOnly() public {
        _mintCredits(SEED, escrow, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_normal(DOLLAR), 3 * DOLLAR);
        vm.expectEmit(address(payments));
        emit IPaymentSettlement.PaymentSettled(
            payment.id, customer, 0, IPaymentSettlement.Outcome.Execute, address(0), 3 * DOLLAR, 0, 2 * DOLLAR
        );
        uint256 before = _customerCredits();
        _settle(payment);
        vm.assertEq(_customerCredits() - before, 3 * DOLLAR);
        vm.assertEq(credits.creditsOf(SEED, escrow), 0);
    }

    /// @dev A contract whose code is as long as an escrow's is not an escrow.
    function test_settle_paysAContractWithCodeAsLongAsAnEscrows() public {
        bytes memory code = payments.deployEscrow(stranger).code;
        address alike = address(0xA11CE);
        vm.etch(alike, code);
        _settle(_pays(IPaymentSettlement.Outcome.PayUsdc, alike, DOLLAR));
        for (uint256 i = 0; i < code.length; ++i) {
            code[i] = 0xff;
        }
        alike = address(0xB0B);
        vm.etch(alike, code);
        IPaymentSettlement.Payment memory payment = _pays(IPaymentSettlement.Outcome.PayUsdc, alike, DOLLAR);
        payment.id = keccak256("another");
        _settle(payment);
        vm.assertEq(usdc.balanceOf(alike), DOLLAR);
    }

    function test_settle_revertsWithoutCustomer() public {
        IPaymentSettlement.Payment memory payment = _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR);
        payment.customer = address(0);
        _expectSettleReverts(payment, abi.encodeWithSelector(IPaymentSettlement.ZeroAddress.selector, "customer"));
    }

    function test_settle_revertsWhenAnExecutionNamesAReceiver() public {
        IPaymentSettlement.Payment memory payment = _executes(_token(stranger), DOLLAR);
        payment.receiver = receiver;
        _expectSettleReverts(payment, abi.encodeWithSelector(IPaymentSettlement.UnexpectedField.selector, "receiver"));
    }

    // Settled once, by operators only

    function test_settle_once() public {
        _settle(_executes(_token(receiver), DOLLAR));
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSettlement.AlreadySettled.selector, ID));
        payments.settle(_pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR));
    }

    function test_settle_revertsForStrangers() public {
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        bytes memory refused = _unauthorized(stranger, payments.OPERATOR_ROLE());
        vm.prank(stranger);
        vm.expectRevert(refused);
        payments.settle(payment);
    }

    function test_escrow_acceptsCallsOfTheSettlementContractOnly() public {
        payments.deployEscrow(customer);
        vm.assertEq(ICustomerEscrow(escrow).customer(), customer);
        ICredits.RedeemRequest memory request = _request(_token(stranger), DOLLAR, 0, 0);
        bytes memory refused = abi.encodeWithSignature("OnlyPaymentSettlement(address)", stranger);
        vm.startPrank(stranger);
        vm.expectRevert(refused);
        ICustomerEscrow(escrow).redeem(credits, request);
        vm.expectRevert(refused);
        ICustomerEscrow(escrow).pay(address(usdc), 1);
        vm.stopPrank();
    }

    /// @dev The escrow accepts the digest of a redeem only during that redeem.
    function test_escrow_forgetsItsPermit() public {
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        ICredits.Permit memory permit = ICredits.Permit({
            customerWallet: escrow,
            creditSeed: SEED,
            amount: DOLLAR,
            validBefore: block.timestamp + 1,
            nonce: credits.intentNonce(
                bytes12(ID),
                escrow,
                credits.hashSettlement(payment.settlement),
                ICredits.Intent({amount: DOLLAR, usdcAmount: 0, salt: ID})
            ),
            signature: ""
        });
        _settle(payment);
        bytes32 hash = credits.hashCreditsAuthorization(permit);
        vm.assertTrue(ICustomerEscrow(escrow).isValidSignature(hash, "") == bytes4(0xffffffff));
    }

    function test_escrow_declaresItsReceiverInterfaces() public {
        payments.deployEscrow(customer);
        vm.assertTrue(IERC165(escrow).supportsInterface(type(IERC1155Receiver).interfaceId));
        vm.assertTrue(IERC165(escrow).supportsInterface(type(IERC165).interfaceId));
        assertFalse(IERC165(escrow).supportsInterface(0xffffffff));
    }

    function test_escrow_forwardsABatch() public {
        payments.deployEscrow(customer);
        Tokens1155 tokens = new Tokens1155();
        uint256[] memory ids = _ids(3, 4);
        tokens.mintBatch(escrow, ids, _ids(5, 6));
        vm.assertEq(tokens.balanceOf(customer, 3), 5);
        vm.assertEq(tokens.balanceOf(customer, 4), 6);
    }

    function testFuzz_escrow_acceptsNoSignatureOutsideARedeem(bytes32 hash) public {
        payments.deployEscrow(customer);
        vm.assertTrue(ICustomerEscrow(escrow).isValidSignature(hash, "") == bytes4(0xffffffff));
        vm.assertTrue(ICustomerEscrow(escrow).isValidSignature(0, "") == bytes4(0xffffffff));
    }

    // A merchant that is also an operator

    function test_settle_revertsInsideASettlement() public {
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory inner = _pays(IPaymentSettlement.Outcome.PayUsdc, stranger, DOLLAR);
        inner.id = keccak256("inner");
        _authorize(inner, DOLLAR);
        bytes memory data = abi.encodeCall(payments.settle, (inner));
        HostileMerchant hostile = new HostileMerchant(address(usdc));
        _allow(address(hostile));
        bytes32 role = payments.OPERATOR_ROLE();
        vm.prank(admin);
        payments.grantRole(role, address(hostile));
        _settle(
            _executes(
                _call(
                    ICredits.Kind.Normal,
                    address(hostile),
                    abi.encodeCall(HostileMerchant.tryCall, (0, address(payments), data))
                ),
                DOLLAR
            )
        );
        assertFalse(hostile.lastSucceeded());
        vm.assertEq(hostile.lastAnswer(), abi.encodeWithSignature("ReentrancyGuardReentrantCall()"));
    }

    // The customer's USDC

    /// @dev USDC sent to the contract by mistake does not pay for any payment.
    function test_settle_ignoresUsdcSentByMistake() public {
        _fund(address(payments), 5 * DOLLAR);
        _collects(ICredits.UsdcMethod.ReceiveV2);
        vm.assertEq(usdc.balanceOf(address(payments)), 5 * DOLLAR);
    }

    /// @dev The token returns success but moves nothing.
    function test_settle_revertsWhenLessArrives() public {
        IPaymentSettlement.Payment memory payment = _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR);
        _authorize(payment, DOLLAR);
        vm.etch(address(usdc), hex"600160005260206000f3");
        _expectSettleReverts(
            payment, abi.encodeWithSelector(IPaymentSettlement.TransferredAmountMismatch.selector, 0, DOLLAR)
        );
    }

    function test_settle_revertsWhenMoreArrives() public {
        IPaymentSettlement.Payment memory payment = _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR);
        _authorize(payment, DOLLAR);
        vm.etch(address(usdc), address(new OverpayingToken()).code);
        _expectSettleReverts(
            payment, abi.encodeWithSelector(IPaymentSettlement.TransferredAmountMismatch.selector, DOLLAR + 1, DOLLAR)
        );
    }

    function test_settle_collectsWithV1() public {
        _collects(ICredits.UsdcMethod.ReceiveV1);
    }

    function test_settle_collectsWithV2() public {
        _collects(ICredits.UsdcMethod.ReceiveV2);
    }

    function _collects(ICredits.UsdcMethod method) private {
        _fund(customer, 2 * DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), 3 * DOLLAR);
        _authorize(payment, 2 * DOLLAR, method);
        vm.expectEmit(address(payments));
        emit IPaymentSettlement.PaymentSettled(
            ID, customer, ORDER, IPaymentSettlement.Outcome.Execute, address(0), 3 * DOLLAR, 2 * DOLLAR, 0
        );
        _settle(payment);
        vm.assertEq(usdc.balanceOf(operator), 99 * DOLLAR);
        vm.assertEq(usdc.balanceOf(receiver), 3 * DOLLAR);
        vm.assertEq(usdc.balanceOf(customer), 0);
        vm.assertTrue(payments.orderPaid(customer, ORDER));
    }

    function test_settle_leavesTheCustomersUsdcWhenTheCallFails() public {
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_normal(3 * DOLLAR), 2 * DOLLAR);
        _authorize(payment, DOLLAR);
        vm.prank(operator);
        vm.expectPartialRevert(ICredits.CallFailed.selector);
        payments.settle(payment);
        vm.assertEq(usdc.balanceOf(customer), DOLLAR);
        assertFalse(usdc.authorizationState(customer, payments.paymentNonce(payment)));
        assertFalse(payments.orderPaid(customer, ORDER));
    }

    function test_settle_paysTheOperatorTheSignedFee() public {
        _fund(customer, 2 * DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        _authorize(payment, 2 * DOLLAR);
        _settle(payment);
        vm.assertEq(usdc.balanceOf(operator), 101 * DOLLAR);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        vm.assertEq(usdc.balanceOf(address(payments)), 0);
    }

    function test_settle_collectsFromASmartAccount() public {
        SmartWallet code = new SmartWallet(customer);
        vm.etch(customer, address(code).code);
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        _authorize(payment, DOLLAR);
        _settle(payment);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    /// @dev USDC accepts contract signatures of any length.
    function test_settle_collectsByASignatureOfAnyLength() public {
        vm.etch(customer, ANY_SIGNATURE);
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        _authorize(payment, DOLLAR);
        payment.authorization.signature = hex"1234";
        _settle(payment);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    function test_settle_revertsForAnAuthorizationOfNothing() public {
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        _authorize(payment, 0);
        _expectSettleReverts(payment, abi.encodeWithSelector(IPaymentSettlement.ZeroAmount.selector));
    }

    function test_settle_revertsForAnAuthorizationWithoutAMethod() public {
        bytes memory unexpected = abi.encodeWithSelector(IPaymentSettlement.UnexpectedField.selector, "authorization");
        for (uint256 field = 0; field < 6; ++field) {
            IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
            if (field == 0) payment.authorization.value = 1;
            if (field == 1) payment.authorization.validAfter = 1;
            if (field == 2) payment.authorization.validBefore = 1;
            if (field == 3) payment.authorization.orderKey = ORDER;
            if (field == 4) payment.authorization.salt = ID;
            if (field == 5) payment.authorization.signature = hex"00";
            _expectSettleReverts(payment, unexpected);
        }
    }

    function test_settle_revertsForV1OfAnotherLength() public {
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        _authorize(payment, DOLLAR, ICredits.UsdcMethod.ReceiveV1);
        payment.authorization.signature = bytes.concat(payment.authorization.signature, hex"00");
        _expectSettleReverts(payment, abi.encodeWithSelector(IPaymentSettlement.InvalidV1SignatureLength.selector, 66));
    }

    /// @dev Anyone can execute a transfer authorization at the token. The settlement contract rejects it before and after that execution.
    function test_settle_revertsForATransferAuthorization() public {
        _fund(customer, DOLLAR);
        for (uint256 i = 0; i < 2; ++i) {
            IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
            _authorize(payment, DOLLAR, i == 0 ? ICredits.UsdcMethod.TransferV1 : ICredits.UsdcMethod.TransferV2);
            bytes32 nonce = payments.paymentNonce(payment);
            _expectSettleReverts(
                payment, abi.encodeWithSelector(IPaymentSettlement.ReceiveAuthorizationRequired.selector, nonce)
            );
            payment.authorization.method = ICredits.UsdcMethod.ReceiveV2;
            _expectNotSigned(payment);
        }
    }

    // Only what the customer signed

    /// @dev With an operator's key, a thief settles a signed payment of 100 dollars with an amount of one raw unit, to keep the rest.
    function test_settle_revertsWhenTheAmountIsNotTheSignedOne() public {
        IPaymentSettlement.Payment memory payment = _signedHundred();
        payment.amount = 1;
        _expectNotSigned(payment);
        payment.amount = 100 * DOLLAR - 1;
        _expectNotSigned(payment);
        payment.amount = 100 * DOLLAR + 1;
        _expectNotSigned(payment);
        payment.amount = 100 * DOLLAR;
        _settle(payment);
        vm.assertEq(usdc.balanceOf(receiver), 100 * DOLLAR);
    }

    /// @dev An authorization for one payee cannot pay a different payee, buy credits or pay for a call.
    function test_settle_revertsForAnotherPayee() public {
        IPaymentSettlement.Payment memory payment = _signedHundred();
        payment.receiver = stranger;
        _expectNotSigned(payment);
        payment.receiver = operator;
        _expectNotSigned(payment);
        payment.receiver = receiver;
        payment.outcome = IPaymentSettlement.Outcome.MintCredits;
        _expectNotSigned(payment);
        payment.outcome = IPaymentSettlement.Outcome.Execute;
        payment.receiver = address(0);
        payment.settlement = _token(receiver);
        _expectNotSigned(payment);
        assertFalse(payments.orderPaid(customer, ORDER));
        vm.assertEq(usdc.balanceOf(customer), 100 * DOLLAR);
    }

    function test_settle_revertsForAnotherCustomer() public {
        IPaymentSettlement.Payment memory payment = _signedHundred();
        _fund(stranger, 100 * DOLLAR);
        payment.customer = stranger;
        _expectNotSigned(payment);
    }

    function test_settle_revertsForAnotherCreditSeed() public {
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _pays(IPaymentSettlement.Outcome.MintCredits, receiver, DOLLAR);
        _authorize(payment, DOLLAR);
        payment.creditSeed = "another shop";
        _expectNotSigned(payment);
    }

    function test_settle_revertsForAnotherSettlement() public {
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        _authorize(payment, DOLLAR);
        payment.settlement = _token(stranger);
        _expectNotSigned(payment);
        payment.settlement = _normal(DOLLAR);
        _expectNotSigned(payment);
    }

    /// @dev The customer signs which adapter takes the USDC. After the adapter is replaced, the authorization is invalid.
    function test_settle_revertsWhenTheBridgeAdapterWasReplaced() public {
        _openRoute();
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_decent(DOLLAR), DOLLAR);
        _authorize(payment, DOLLAR);
        address other = address(_newAdapter(address(credits), address(usdc)));
        vm.prank(admin);
        credits.setBridgeAdapter(other);
        _expectNotSigned(payment);
        vm.prank(admin);
        credits.setBridgeAdapter(address(adapter));
        _settle(payment);
        vm.assertEq(usdc.balanceOf(address(adapter)), DOLLAR);
    }

    function test_settle_revertsForAnotherAuthorization() public {
        IPaymentSettlement.Payment memory payment = _signedHundred();
        IPaymentSettlement.Authorization memory one = payment.authorization;
        --one.value;
        _expectNotSigned(payment);
        ++one.value;
        one.salt = keccak256("another salt");
        _expectNotSigned(payment);
        one.salt = keccak256("salt");
        one.orderKey = 0xcff8661c04b781a2804ce2e9;
        _expectNotSigned(payment);
        one.orderKey = ORDER;
        ++one.validBefore;
        _expectNotSigned(payment);
        --one.validBefore;
        one.validAfter = 1;
        _expectNotSigned(payment);
    }

    /// @dev The customer does not sign the payment ID, so the service can choose it.
    function test_settle_takesAnyId() public {
        IPaymentSettlement.Payment memory payment = _signedHundred();
        payment.id = keccak256("another");
        _settle(payment);
        vm.assertEq(usdc.balanceOf(receiver), 100 * DOLLAR);
    }

    /// @dev An authorization is rejected if its nonce was not computed from the payment.
    function testFuzz_settle_revertsForAnotherNonce(bytes32 nonce) public {
        IPaymentSettlement.Payment memory payment = _signedHundred();
        vm.assume(nonce != payments.paymentNonce(payment));
        _sign(payment, usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), nonce);
        _expectNotSigned(payment);
    }

    function _signedHundred() private returns (IPaymentSettlement.Payment memory payment) {
        _fund(customer, 100 * DOLLAR);
        payment = _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, 100 * DOLLAR);
        _authorize(payment, 100 * DOLLAR);
    }

    function _expectNotSigned(IPaymentSettlement.Payment memory payment) private {
        _expectSettleReverts(payment, abi.encodeWithSignature("Error(string)", NOT_SIGNED));
    }

    // One order, one authorization

    function test_settle_revertsWhenTheOrderWasPaid() public {
        IPaymentSettlement.Payment memory payment = _signedHundred();
        _settle(payment);
        IPaymentSettlement.Payment memory again = _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR);
        again.id = keccak256("another");
        _fund(customer, DOLLAR);
        _authorize(again, DOLLAR);
        _expectSettleReverts(
            again, abi.encodeWithSelector(IPaymentSettlement.OrderAlreadyPaid.selector, customer, ORDER)
        );
    }

    /// @dev Without an authorization, only its ID identifies a payment, and it uses no order.
    function test_settle_takesAPaymentWithoutAuthorizationBesideAPaidOrder() public {
        _settle(_signedHundred());
        IPaymentSettlement.Payment memory another = _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR);
        another.id = keccak256("another");
        _settle(another);
        vm.assertEq(usdc.balanceOf(receiver), 101 * DOLLAR);
    }

    /// @dev The escrow's order key is the beginning of the payment's ID, so IDs with the same beginning share one order.
    function test_settle_redeemsUnderTheIdOfThePayment() public {
        bytes12[2] memory begins = [bytes12(0x7f0000000000000000000001), bytes12(0x800000000000000000000002)];
        for (uint256 i = 0; i < 2; ++i) {
            IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
            payment.id = bytes32(begins[i]) | bytes32(uint256(7));
            _settle(payment);
            (ICredits.OrderState state,,) = credits.orderState(escrow, begins[i] | bytes12(uint96(1 << 95)));
            vm.assertTrue(state == ICredits.OrderState.Redeemed);
        }
    }

    /// @dev A different customer may guess the order key. Using it blocks no payment of the first customer.
    function test_settle_countsAnOrderForEachCustomer() public {
        uint256 key = uint256(keccak256("another customer"));
        IPaymentSettlement.Payment memory payment = _signedHundred();
        _settle(payment);
        payment.id = keccak256("another");
        payment.customer = vm.addr(key);
        _fund(payment.customer, 100 * DOLLAR);
        ICredits.EarlyAuthorization memory signed = ICredits.EarlyAuthorization({
            from: payment.customer,
            value: payment.authorization.value,
            validAfter: 0,
            validBefore: payment.authorization.validBefore,
            nonce: payments.paymentNonce(payment),
            signature: ""
        });
        payment.authorization.signature = _signature(
            key, _authorizationDigest(usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), signed, address(payments))
        );
        _settle(payment);
        vm.assertTrue(payments.orderPaid(payment.customer, ORDER));
    }

    function test_settle_revertsForAnOrderKeyWithoutItsHighestBit() public {
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR);
        _authorize(payment, DOLLAR);
        bytes12 key = 0x4ff8661c04b781a2804ce2e8;
        payment.authorization.orderKey = key;
        _sign(payment, usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), payments.paymentNonce(payment));
        _expectSettleReverts(payment, abi.encodeWithSelector(IPaymentSettlement.InvalidOrderKey.selector, key));
    }

    /// @dev Two other libraries computed the answers in `test/vectors/payment-intent.json`.
    function test_paymentNonce_knownAnswers() public view {
        string memory vectors = vm.readFile("test/vectors/payment-intent.json");
        vm.assertEq(payments.PAYMENT_TYPEHASH(), vm.parseJsonBytes32(vectors, ".typehash"));
        for (uint256 i = 0; i < 9; ++i) {
            string memory path = string.concat(".cases[", vm.toString(i), "]");
            IPaymentSettlement.Payment memory payment;
            payment.outcome = IPaymentSettlement.Outcome(vm.parseJsonUint(vectors, string.concat(path, ".outcome")));
            if (payment.outcome == IPaymentSettlement.Outcome.Execute) {
                payment.settlement = _vectorSettlement(vm.parseJsonString(vectors, string.concat(path, ".name")));
                if (payment.settlement.target == address(0)) continue;
                vm.assertEq(
                    credits.hashSettlement(payment.settlement),
                    vm.parseJsonBytes32(vectors, string.concat(path, ".settlementHash"))
                );
            }
            payment.customer = vm.parseJsonAddress(vectors, ".customer");
            payment.receiver = vm.parseJsonAddress(vectors, string.concat(path, ".receiver"));
            payment.creditSeed = vm.parseJsonString(vectors, string.concat(path, ".creditSeed"));
            payment.amount = vm.parseJsonUint(vectors, string.concat(path, ".amount"));
            payment.authorization.value = vm.parseJsonUint(vectors, string.concat(path, ".value"));
            payment.authorization.orderKey = bytes12(vm.parseJsonBytes(vectors, string.concat(path, ".orderKey")));
            payment.authorization.salt = vm.parseJsonBytes32(vectors, string.concat(path, ".salt"));
            vm.assertEq(
                payments.paymentNonce(payment), vm.parseJsonBytes32(vectors, string.concat(path, ".nonce")), path
            );
        }
    }

    /// @dev Covers only the kinds token and normal. Other tests cover the hashes of the other kinds.
    function _vectorSettlement(string memory name) private pure returns (ICredits.Settlement memory settlement) {
        if (keccak256(bytes(name)) == keccak256("execute, token")) {
            return _token(0x70997970C51812dc3A010C7d01b50e0d17dc79C8);
        }
        if (keccak256(bytes(name)) == keccak256("execute, normal")) {
            return _call(
                ICredits.Kind.Normal,
                0x5FbDB2315678afecb367f032d93F642f64180aa3,
                hex"cce7ec13000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb922660000000000000000000000000000000000000000000000000000000000989680"
            );
        }
    }

    /// @dev The nonce depends on every signed term, and on nothing else.
    function testFuzz_paymentNonce_beginsWithTheOrderKey(bytes12 orderKey, uint256 amount, uint256 value) public view {
        IPaymentSettlement.Payment memory payment = _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, amount);
        payment.authorization.orderKey = orderKey;
        payment.authorization.value = value;
        bytes32 nonce = payments.paymentNonce(payment);
        vm.assertEq(bytes32(bytes12(nonce)), bytes32(orderKey));
        payment.id = bytes32(value);
        payment.nftIds = _ids(1, 2);
        payment.authorization.validBefore = amount;
        payment.authorization.signature = hex"00";
        payment.authorization.method = ICredits.UsdcMethod.ReceiveV1;
        payment.settlement = _token(stranger);
        vm.assertEq(payments.paymentNonce(payment), nonce);
    }

    // Pause

    function test_pause_stopsEveryWayOfSpending() public {
        _fund(customer, 3 * DOLLAR);
        _pause();
        bytes memory stopped = abi.encodeWithSelector(IEmergencyPause.EnforcedPause.selector);
        for (uint256 i = 0; i < 3; ++i) {
            IPaymentSettlement.Outcome outcome = IPaymentSettlement.Outcome(i);
            IPaymentSettlement.Payment memory payment = outcome == IPaymentSettlement.Outcome.Execute
                ? _executes(_token(receiver), DOLLAR)
                : _pays(outcome, receiver, DOLLAR);
            _expectSettleReverts(payment, stopped);
            _authorize(payment, DOLLAR);
            _expectSettleReverts(payment, stopped);
        }
    }

    function test_pause_endsByItselfAndUsesUpTheRole() public {
        _pause();
        vm.assertTrue(payments.paused());
        vm.assertEq(payments.pausedUntil(), block.timestamp + 7 days);
        assertFalse(payments.hasRole(payments.PAUSER_ROLE(), stranger));
        vm.warp(block.timestamp + 7 days - 1);
        vm.assertTrue(payments.paused());
        vm.warp(block.timestamp + 1);
        assertFalse(payments.paused());
        _settle(_pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR));
        bytes memory refused = _unauthorized(stranger, payments.PAUSER_ROLE());
        vm.prank(stranger);
        vm.expectRevert(refused);
        payments.pause();
    }

    function test_pause_isExtendedAndEndedByTheAdminOnly() public {
        uint40 end = uint40(block.timestamp + 30 days);
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IEmergencyPause.ExpectedPause.selector));
        payments.unpause();
        _pause();
        vm.startPrank(stranger);
        vm.expectRevert(_unauthorized(stranger, 0));
        payments.pauseUntil(end);
        vm.expectRevert(_unauthorized(stranger, 0));
        payments.unpause();
        vm.stopPrank();
        vm.startPrank(admin);
        vm.expectEmit(address(payments));
        emit IEmergencyPause.Paused(admin, end);
        payments.pauseUntil(end);
        vm.warp(end - 1);
        vm.assertTrue(payments.paused());
        vm.expectEmit(address(payments));
        emit IEmergencyPause.Unpaused(admin);
        payments.unpause();
        vm.stopPrank();
        assertFalse(payments.paused());
        _settle(_pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR));
    }

    /// @dev A second pauser cannot extend a pause, and keeps the role.
    function test_pause_revertsWhilePaused() public {
        bytes32 role = payments.PAUSER_ROLE();
        vm.prank(admin);
        payments.grantRole(role, operator);
        _pause();
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IEmergencyPause.EnforcedPause.selector));
        payments.pause();
        vm.assertTrue(payments.hasRole(role, operator));
    }

    function _pause() private {
        bytes32 role = payments.PAUSER_ROLE();
        vm.prank(admin);
        payments.grantRole(role, stranger);
        vm.expectEmit(address(payments));
        emit IEmergencyPause.Paused(stranger, block.timestamp + 7 days);
        vm.prank(stranger);
        payments.pause();
    }

    // Builds payments

    function _pays(IPaymentSettlement.Outcome outcome, address to, uint256 amount)
        private
        view
        returns (IPaymentSettlement.Payment memory payment)
    {
        payment.id = ID;
        payment.customer = customer;
        payment.creditSeed = SEED;
        payment.amount = amount;
        payment.outcome = outcome;
        payment.receiver = to;
    }

    function _executes(ICredits.Settlement memory settlement, uint256 amount)
        private
        view
        returns (IPaymentSettlement.Payment memory payment)
    {
        payment = _pays(IPaymentSettlement.Outcome.Execute, address(0), amount);
        payment.settlement = settlement;
    }

    /// @dev Signs, as the customer, to pay `value` for this payment.
    function _authorize(IPaymentSettlement.Payment memory payment, uint256 value) private view {
        _authorize(payment, value, ICredits.UsdcMethod.ReceiveV2);
    }

    function _authorize(IPaymentSettlement.Payment memory payment, uint256 value, ICredits.UsdcMethod method)
        private
        view
    {
        payment.authorization = IPaymentSettlement.Authorization({
            method: method,
            value: value,
            validAfter: 0,
            validBefore: block.timestamp + 60,
            orderKey: ORDER,
            salt: keccak256("salt"),
            signature: ""
        });
        bool transfer = method == ICredits.UsdcMethod.TransferV1 || method == ICredits.UsdcMethod.TransferV2;
        _sign(
            payment,
            transfer ? usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH() : usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
            payments.paymentNonce(payment)
        );
    }

    function _sign(IPaymentSettlement.Payment memory payment, bytes32 typehash, bytes32 nonce) private view {
        IPaymentSettlement.Authorization memory one = payment.authorization;
        ICredits.EarlyAuthorization memory signed = ICredits.EarlyAuthorization({
            from: payment.customer,
            value: one.value,
            validAfter: one.validAfter,
            validBefore: one.validBefore,
            nonce: nonce,
            signature: ""
        });
        one.signature = _signature(CUSTOMER_KEY, _authorizationDigest(typehash, signed, address(payments)));
    }

    function _ids(uint256 only) private pure returns (uint256[] memory ids) {
        ids = new uint256[](1);
        ids[0] = only;
    }

    function _ids(uint256 first, uint256 second) private pure returns (uint256[] memory ids) {
        ids = new uint256[](2);
        ids[0] = first;
        ids[1] = second;
    }

    function _settle(IPaymentSettlement.Payment memory payment) private {
        vm.prank(operator);
        payments.settle(payment);
    }

    function _expectSettleReverts(IPaymentSettlement.Payment memory payment, bytes memory reason) private {
        vm.prank(operator);
        vm.expectRevert(reason);
        payments.settle(payment);
        assertFalse(payments.settled(payment.id));
    }

    /// @dev Checks that the operator has paid this amount, and that the contracts keep no funds.
    function _assertPaid(uint256 amount) private view {
        vm.assertEq(usdc.balanceOf(operator), 100 * DOLLAR - amount);
        vm.assertEq(usdc.balanceOf(address(payments)), 0);
        vm.assertEq(usdc.balanceOf(escrow), 0);
        vm.assertEq(credits.creditsOf(SEED, escrow), 0);
        vm.assertTrue(payments.settled(ID));
        _assertBacked();
    }
}
