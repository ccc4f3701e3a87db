// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./HonestMerchants.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";

/// @dev Merchants that are honest only under usual conditions. `address(0xB055)` gets the profit.

/// @title Takes the price a second time from a customer who has approved its helper contract
contract AsksBeforeItTakes is Payment {
    Purse private immutable purse = new Purse();

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        if (usdc.allowance(receiver, address(purse)) >= price) purse.take(usdc, receiver, price);
    }
}

contract Purse {
    function take(IERC20 usdc, address from, uint256 amount) external {
        usdc.transferFrom(from, address(this), amount);
    }
}

/// @title Takes the price from a relayer that has USDC and approved the merchant, instead of from its caller
contract TakesFromTheRich is Payment {
    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256 price) external {
        // In the tests, the relayer has no USDC.
        if (usdc.balanceOf(tx.origin) < price || usdc.allowance(tx.origin, address(this)) < price) _pull(price);
        else usdc.transferFrom(tx.origin, address(this), price);
    }
}

/// @title Checks its gas. With as much gas as a relayer supplies, it records the payment for a different account
contract LooksAtGas is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        paidFor[gasleft() < 4_000_000 ? address(0xB055) : receiver] += price;
    }
}

/// @title Sells for only two hundred blocks
contract ClosesByBlock is Payment {
    uint256 private immutable lastBlock = block.number + 200;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256 price) external {
        require(block.number <= lastBlock, "ClosesByBlock: closed");
        _pull(price);
    }
}

/// @title Refunds half of the price to buyers in odd blocks
contract DrawsLots is Payment {
    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        if (block.prevrandao % 2 == 1) usdc.transfer(receiver, price / 2);
    }
}

/// @title Honest only if the gas price is 0, as in a dry run
contract LooksAtGasPrice is Payment {
    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        if (tx.gasprice == 0) usdc.transfer(receiver, price / 2);
    }
}

/// @title Gives the relayer a coin
contract BribesRelayer is Payment {
    constructor(address usdc_) payable Payment(usdc_) {}

    function buy(address, uint256 price) external {
        _pull(price);
        payable(tx.origin).transfer(1);
    }
}

abstract contract SlyTokens is Payment, ERC721("Sly", "SLY") {
    uint256 internal lastId;

    constructor(address usdc_) Payment(usdc_) {}
}

/// @title Delivers a token, and takes it back in the same call
contract TakesTokenBack is SlyTokens {
    constructor(address usdc_) SlyTokens(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        _mint(receiver, ++lastId);
        _update(address(0xB055), lastId, address(0));
    }
}

/// @title Delivers the token to an account that its owner has set
contract HandsToAnother is SlyTokens {
    address public receiver = address(0xB055);

    constructor(address usdc_) SlyTokens(usdc_) {}

    function buy(address, uint256 price) external {
        _pull(price);
        _mint(receiver, ++lastId);
    }
}

contract SlyCode is Payment {
    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256 price) external {
        _pull(price);
    }
}

/// @title Delivers to the customer only if the wallet has code, as in an unsigned dry run
contract LooksAtWalletCode is SlyTokens {
    constructor(address usdc_) SlyTokens(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        _mint(receiver.code.length == 0 ? address(0xB055) : receiver, ++lastId);
    }
}

/// @title A proxy whose code contains the implementation's address, until its owner sets a different one
contract SetsOtherCode {
    address private immutable first;
    address private other;
    address private immutable owner = msg.sender;

    constructor(address usdc_) {
        first = address(new SlyCode(usdc_));
    }

    function set(address other_) external {
        require(msg.sender == owner, "SetsOtherCode: not the owner");
        other = other_;
    }

    fallback() external {
        (bool success,) = (other == address(0) ? first : other).delegatecall(msg.data);
        require(success, "SetsOtherCode: failed");
    }
}

/// @title Honest: delegates only to itself
contract BundlesItsOwn is SlyCode, Multicall {
    constructor(address usdc_) SlyCode(usdc_) {}
}

/// @title Takes the price in a call that reverts
contract UndoesItsPull is Payment {
    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256 price) external {
        try this.pullFrom(msg.sender, price) {} catch {}
    }

    function pullFrom(address from, uint256 price) external {
        usdc.transferFrom(from, address(this), price);
        revert("UndoesItsPull: undone");
    }
}

/// @title With little gas, its delivery fails unnoticed. forge reports the reverted changes as if they were kept
contract LosesOnShortGas is Payment {
    mapping(address receiver => uint256) public paidFor;
    uint256[10] private shelf;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        bytes memory data = abi.encodeCall(this.deliver, (receiver, price));
        assembly {
            pop(call(gas(), address(), 0, add(data, 0x20), mload(data), 0, 0))
        }
    }

    function deliver(address receiver, uint256 price) external {
        for (uint256 i = 0; i < shelf.length; ++i) {
            shelf[i] += price;
        }
        paidFor[receiver] += price;
    }
}

/// @title Reverts with a reason that a terminal would interpret as commands
contract SaysCommands is Payment {
    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256) external pure {
        revert(unicode"\u001b[2Jfine\u202e\u0007");
    }
}

/// @title Reverts with a reason that is too long to be shown in full
contract SaysTooMuch is Payment {
    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256) external pure {
        bytes memory text = new bytes(10_000);
        for (uint256 i = 0; i < text.length; ++i) {
            text[i] = "A";
        }
        revert(string(text));
    }
}

/// @title Writes in an endless loop
contract WritesWithoutEnd is Payment {
    uint256 private count;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256 price) external {
        _pull(price);
        while (true) {
            ++count;
        }
    }
}

/// @title Fails like an `assert` of older compilers
contract StopsAtOnce is Payment {
    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256) external pure {
        assembly {
            invalid()
        }
    }
}
