/**
 * The tickets of the service desk; `sample-rows.ts` says how a row is read. The states are n new · p in progress · w waiting for
 * the customer · d solved.
 */
export const deskRows = `
n24 p24 d23 !high @ana <nina #hardware ~60 +45@24 +20@23 | Label printer in the bakery prints blank labels | Etikettendrucker in der Backstube druckt leere Etiketten
> 24 nina m | Since this morning every label is white. We cannot price the bread. | Seit heute früh ist jedes Etikett weiß. Wir können das Brot nicht auszeichnen.
> 24 ana r | Please turn the roll around: the coated side must face up. I stay on the line. | Bitte drehen Sie die Rolle um: die beschichtete Seite muss nach oben. Ich bleibe dran.
> 23 nina m | That was it, thank you! | Das war es, danke!
n23 p22 d21 @ben <omar #access ~30 +25@22 | New colleague needs access to the ordering app | Neue Kollegin braucht Zugang zur Bestell-App
> 23 omar m | Her name is Lena Brandt, she starts on Monday in the Harbour Street shop. | Sie heißt Lena Brandt und fängt am Montag in der Filiale Hafenstraße an.
> 22 ben r | The account is ready; the invitation is in her mailbox. | Das Konto ist angelegt, die Einladung liegt in ihrem Postfach.
n22 p22 d20 !high @ana <priya #orders ~90 +60@22 +35@21 | Orders of Saturday appear twice | Bestellungen vom Samstag erscheinen doppelt
> 22 priya m | Every order of Saturday is in the list twice, with different numbers. | Jede Bestellung vom Samstag steht zweimal in der Liste, mit verschiedenen Nummern.
> 22 ana n | The import ran twice after the restart; same cause as in the app team’s backlog. | Der Import lief nach dem Neustart zweimal; dieselbe Ursache wie im Backlog des App-Teams.
> 21 ana r | The second set is removed. A check against double imports comes with the next version. | Die zweiten sind entfernt. Eine Prüfung gegen doppelte Importe kommt mit der nächsten Version.
n20 p20 d18 @ben <nina #hardware ~45 +50@19 | Till 2 loses the network several times a day | Kasse 2 verliert mehrmals am Tag das Netz
> 20 nina m | It comes back by itself after a minute, but the queue is long by then. | Nach einer Minute geht es wieder, aber bis dahin ist die Schlange lang.
> 18 ben r | The cable under the counter was worn through. It is replaced. | Das Kabel unter der Theke war durchgescheuert. Es ist ersetzt.
n19 p19 d19 !urgent @ana <omar #orders ~30 +30@19 | Nobody can sign in to the ordering app | Niemand kann sich in der Bestell-App anmelden
> 19 omar m | All shops are affected, and the delivery leaves in an hour! | Alle Filialen sind betroffen, und die Lieferung fährt in einer Stunde!
> 19 ana r | The certificate had expired. It is renewed, and we now watch its date. | Das Zertifikat war abgelaufen. Es ist erneuert, und wir überwachen jetzt sein Datum.
n18 p17 d16 @ben <priya #invoice ~20 +15@17 | Invoice shows the old address | Rechnung zeigt die alte Anschrift
n17 p16 d15 !low @ben <nina #question ~15 +10@16 | How do I change the opening hours in the app? | Wie ändere ich die Öffnungszeiten in der App?
n16 p16 d14 @ana <omar #orders ~60 +55@15 | Delivery list is sorted wrongly | Lieferliste ist falsch sortiert
n15 p15 d14 @ben <nina #hardware ~30 +35@14 | Scanner of the cold store does not charge | Scanner im Kühlhaus lädt nicht
n14 p13 d12 @ana <priya #access ~20 +20@13 | Reset the second factor of Mr Weiss | Zweiten Faktor von Herrn Weiß zurücksetzen
n13 p13 d11 !high @ana <omar #orders ~120 +90@13 +45@12 | Standing orders were not taken over on the holiday | Daueraufträge wurden am Feiertag nicht übernommen
> 13 omar m | Forty customers got nothing. Please check all orders with “every weekday”. | Vierzig Kunden haben nichts bekommen. Bitte prüfen Sie alle Aufträge mit „jeden Werktag“.
> 12 ana r | Corrected, and the missed orders of tomorrow are in the list. We are sorry for the trouble. | Behoben, und die ausgefallenen Aufträge stehen für morgen in der Liste. Bitte entschuldigen Sie.
n12 p12 d10 @ben <nina #question ~15 +10@11 | Can two people edit the price list at the same time? | Können zwei Personen zugleich die Preisliste bearbeiten?
n11 p11 d9 @ben <priya #invoice ~30 +25@10 | Credit note for the returned baskets | Gutschrift für die zurückgegebenen Körbe
n10 p10 d9 @ana <omar #hardware ~45 +40@9 | Screen in the packing area stays dark | Bildschirm in der Packzone bleibt dunkel
n9 p9 d8 !low @ben <nina #question ~10 +10@8 | Where is the list of allergens? | Wo finde ich die Allergenliste?
n9 p8 d7 @ana <priya #orders ~60 +50@8 | Minimum order value is not checked for new customers | Mindestbestellwert wird bei Neukunden nicht geprüft
n8 p7 d6 @ben <omar #access ~20 +15@7 | Close the account of a colleague who left | Konto einer ausgeschiedenen Kollegin schließen
n7 p7 w5 @ana <nina #hardware ~60 +30@6 | Thermometer of oven 4 reports minus 40 degrees | Thermometer von Ofen 4 meldet minus 40 Grad
> 7 nina m | The oven is fine, the app says −40 °C. | Der Ofen ist in Ordnung, die App sagt −40 °C.
> 5 ana r | Could you send us a photo of the sensor’s plug? | Können Sie uns ein Foto vom Stecker des Fühlers schicken?
n7 p6 d5 @ben <priya #invoice ~20 +20@5 | Statement of account for the tax adviser | Kontoauszug für die Steuerberatung
n6 p6 d4 !high @ana <omar #orders ~90 +75@5 +30@4 | Prices of the spring menu are not shown on the tills | Preise der Frühlingskarte erscheinen nicht an den Kassen
> 6 omar m | The tills still show the winter prices, the labels are right. | Die Kassen zeigen noch die Winterpreise, die Etiketten stimmen.
> 4 ana r | The tills now take over new prices at four in the morning, without a restart. | Die Kassen übernehmen neue Preise jetzt um vier Uhr morgens, ohne Neustart.
n6 p5 w3 @ben <nina #access ~30 +20@4 | Shared tablet asks for the password every hour | Gemeinsames Tablet fragt stündlich nach dem Passwort
> 6 nina m | The bakers have flour on their hands, and type it in every hour. | Die Bäcker haben Mehl an den Händen und tippen es jede Stunde ein.
> 3 ben r | Which of the shops is it? We can extend the session for this tablet only. | Um welche Filiale geht es? Wir können die Sitzung nur für dieses Tablet verlängern.
n5 p5 d3 @ana <priya #question ~15 +15@3 | Export of all customers for the Christmas letter | Export aller Kunden für den Weihnachtsbrief
n5 p4 d2 @ben <omar #hardware ~45 +50@3 | Receipt printer cuts in the middle of the text | Bondrucker schneidet mitten im Text
n4 p4 d2 !low @ben <nina #question ~10 +10@2 | Is there a dark mode for the night shift? | Gibt es einen dunklen Modus für die Nachtschicht?
n4 p3 w1 @ana <priya #orders ~60 +35@2 | Substitute article is offered although it is sold out | Ersatzartikel wird angeboten, obwohl er ausverkauft ist
> 4 priya m | Customers order the rye rolls, and we have to call every one of them. | Kunden bestellen die Roggenbrötchen, und wir müssen jeden anrufen.
> 1 ana r | May we try this with your test shop on Thursday? | Dürfen wir das am Donnerstag in Ihrer Testfiliale ausprobieren?
n3 p3 d1 @ben <omar #access ~20 +15@1 | Driver cannot open the delivery list on the phone | Fahrer kann die Lieferliste am Telefon nicht öffnen
n3 p2 !high @ana <nina #orders ~120 +60@2 +45@1 | Weekly totals differ between app and till | Wochensummen in App und Kasse stimmen nicht überein
> 3 nina m | The difference is always a multiple of 2.40. | Die Differenz ist immer ein Vielfaches von 2,40.
> 2 ana n | 2.40 is the deposit of a basket. Looks like it is counted twice. | 2,40 ist das Pfand eines Korbs. Es wird wohl doppelt gezählt.
n2 p2 @ben <priya #invoice ~30 +20@1 | Second copy of the January invoices | Zweitschriften der Rechnungen vom Januar
> 2 priya m | The auditors come on Friday. PDF is fine. | Am Freitag kommt die Prüfung. PDF genügt.
> 1 ben r | They are on their way; the originals follow by post. | Sie sind unterwegs; die Originale folgen mit der Post.
n2 p1 @ana <omar #hardware ~45 +25@1 | Door sensor of van 3 sends no signal | Türsensor von Wagen 3 sendet nicht
> 2 omar m | The app shows the door as open since yesterday, although it is closed. | Die App zeigt die Tür seit gestern als offen, obwohl sie zu ist.
> 1 ana n | Battery at 4 %. A new one is in the post. | Batterie bei 4 %. Eine neue ist in der Post.
n2 p1 w3h @me <nina #access ~20 | Change the mail address of the Harbour Street shop | Mailadresse der Filiale Hafenstraße ändern
> 2 nina m | The shop moves to harbour@brightwater.example next week. | Die Filiale zieht nächste Woche auf hafen@hellwasser.example um.
> 3h me r | Is the old address still read by somebody, or may we close it? | Liest die alte Adresse noch jemand, oder dürfen wir sie schließen?
n1 p1 !high @ana <priya #orders ~60 +30@0 | Large order for the town festival cannot be saved | Großbestellung für das Stadtfest lässt sich nicht speichern
> 1 priya m | 1,200 rolls, and the app says “not a number”. | 1.200 Brötchen, und die App sagt „keine Zahl“.
> 6h ana r | Please leave out the thousands separator for now; the fix is in test. | Bitte lassen Sie vorerst den Tausenderpunkt weg; die Korrektur ist im Test.
n1 @ben <omar #question ~15 | How long are delivery notes kept? | Wie lange werden Lieferscheine aufbewahrt?
> 1 omar m | A customer asks for one of two years ago. | Ein Kunde fragt nach einem von vor zwei Jahren.
n9h p5h @ben <nina #hardware ~45 +20@0 | Till 1 beeps when the drawer opens | Kasse 1 piept beim Öffnen der Schublade
> 9h nina m | Three short beeps, every time. It works otherwise. | Drei kurze Töne, jedes Mal. Sonst geht alles.
> 5h ben r | That is the warning for a full receipt roll sensor. We have a spare part and come by today. | Das ist die Warnung des Bonrollenfühlers. Wir haben ein Ersatzteil und kommen heute vorbei.
n7h @me <priya #invoice ~20 | Discount of the frame contract is missing on the draft | Rabatt aus dem Rahmenvertrag fehlt im Entwurf
> 7h priya m | We agreed on 6 %. Please correct it before the invoice is issued. | Vereinbart sind 6 %. Bitte korrigieren Sie das, bevor die Rechnung gestellt wird.
n5h !urgent <omar #orders | Delivery app shows yesterday’s route | Liefer-App zeigt die Tour von gestern
> 5h omar m | Two drivers are on their way with the old list. | Zwei Fahrer sind mit der alten Liste unterwegs.
n3h <nina #access | Two new trainees need accounts until Monday | Zwei neue Auszubildende brauchen bis Montag Konten
> 3h nina m | Jonas Behr and Amira Sayed, both in the bakery, early shift. | Jonas Behr und Amira Sayed, beide in der Backstube, Frühschicht.
n2h !low <priya #question | Which browsers are supported? | Welche Browser werden unterstützt?
> 2h priya m | Accounting gets new computers, and I should order the right thing. | Die Buchhaltung bekommt neue Rechner, und ich soll das Richtige bestellen.
n1h !high <omar #hardware | Scale in the market hall shows no weight | Waage in der Markthalle zeigt kein Gewicht
> 1h omar m | It shows “E4” since it was cleaned. We weigh on the old one until then. | Seit der Reinigung zeigt sie „E4“. Bis dahin wiegen wir auf der alten.
`
