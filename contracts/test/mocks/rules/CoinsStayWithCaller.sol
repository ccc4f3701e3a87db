// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Breaks one rule: it sells ERC-20 coins to its caller, and no shape forwards those

contract CoinsStayWithCaller is ERC20, Payment {
    constructor(address usdc_) ERC20("Coins", "COIN") Payment(usdc_) {}

    function buy(address, uint256 price) external {
        _pull(price);
        _mint(msg.sender, price * 1e12);
    }
}
